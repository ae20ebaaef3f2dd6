// The uniform add: the sum before a block is combined with all of its items, in place.
#include "scan/common/block.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = TARGET) buffer Target { Stored b_target[]; };
layout(std430, binding = INCREMENTS) readonly buffer Increments { Stored b_increments[]; };

shared Item s_increment;

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    if (gl_LocalInvocationIndex == 0u) {
        s_increment = ITEM_OF(b_increments[READ_AT(INCREMENTS, group_index(), ITEM_WORDS)]);
    }
    sync_group();
    for (int i = int(gl_LocalInvocationIndex); i < BLOCK; i += GROUP) {
        int place = place_of(i);
        if (place < u_len) {
            Item item = ITEM_OF(b_target[READ_AT(TARGET, place, ITEM_WORDS)]);
            b_target[WRITE_AT(TARGET, place, ITEM_WORDS)] = STORED_OF(combine(s_increment, item));
        }
    }
}
