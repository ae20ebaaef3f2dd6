// An item of a map: what the caller's function makes of the item of the first stream with its index.
#include "copy/map_function.glsl"

void map_item(int index, out uint to[TO]) {
    uint from[FROM];
    stream_0_words(index, from);
    map(from, index, to);
}
