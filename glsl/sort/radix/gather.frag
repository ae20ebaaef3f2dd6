// radix: each place finds its key, and moves it with its payloads.
#include <streams>
#include "sort/radix/find.glsl"
#include "sort/common/move.glsl"

void main() {
    move_from(find_keys(target_index(), target_len()));
}
