// The items of a block, loaded from the stream and stored. Past the stream's end is the identity.
#include "scan/common/block.glsl"

layout(std430, binding = SOURCE) readonly buffer Source { Stored b_source[]; };
layout(std430, binding = TARGET) writeonly buffer Target { Stored b_target[]; };

Item load_item(int i) {
    int place = place_of(i);
    if (place < u_len) {
        return ITEM_OF(b_source[READ_AT(SOURCE, place, ITEM_WORDS)]);
    }
    return identity();
}

void store_item(int i, Item item) {
    int place = place_of(i);
    if (place < u_len) {
        b_target[WRITE_AT(TARGET, place, ITEM_WORDS)] = STORED_OF(item);
    }
}
