// Map: what a function of the caller's makes of each item: FROM words become TO words.
#include "common/group.glsl"
#include <streams>
#include "copy/map.glsl"

layout(local_size_x = GROUP) in;

void main() {
    int item = invocation_index();
    if (item < target_len()) {
        uint to[TO];
        map_item(item, to);
        target_put_words(item, to);
    }
}
