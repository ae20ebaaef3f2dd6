// Take: the last item of each segment, which holds its sum; of an empty segment the identity.
#include "common/group.glsl"
#include "common/item.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = SCANNED) readonly buffer Scanned { uint b_scanned[]; };
layout(std430, binding = OFFSETS) readonly buffer Offsets { uint b_offsets[]; };
layout(std430, binding = TARGET) writeonly buffer Target { uint b_target[]; };
#if COUNTED_RESULTS
layout(std430, binding = COUNT) readonly buffer Count { uint b_count[]; };
#endif
uniform int u_len; // items that were scanned
uniform int u_room; // segments that there is room for

int segments() {
#if COUNTED_RESULTS
    return int(min(b_count[READ_AT(COUNT, 0, 1)], uint(u_room)));
#else
    return u_room;
#endif
}

void main() {
    int place = invocation_index();
    int count = segments();
    if (place >= count) {
        return;
    }
    uint begin = b_offsets[READ_AT(OFFSETS, place, 1)];
    // Offsets past the end, which only the GPU has seen, take no item from there.
    uint end = uint(u_len);
    if (place + 1 < count) {
        end = min(end, b_offsets[READ_AT(OFFSETS, place + 1, 1)]);
    }
    Item item = identity();
    Words words;
    if (begin < end) {
        int last = int(end) - 1;
        for (int i = 0; i < ITEM_WORDS; i++) {
            WORD(words, i) = b_scanned[READ_AT(SCANNED, last * ITEM_WORDS + i, 1)];
        }
        item = item_of_words(words);
    }
    words = words_of_item(item);
    for (int i = 0; i < ITEM_WORDS; i++) {
        b_target[WRITE_AT(TARGET, place * ITEM_WORDS + i, 1)] = WORD(words, i);
    }
}
