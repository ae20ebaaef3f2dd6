// Prefixes: what comes before each tile, beginning with a carry from before the stream.
#include "common/group.glsl"
#include "common/item.glsl"
#include "scan/common/sums.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = CARRY) readonly buffer Carry { uint b_carry[]; };
layout(std430, binding = PREFIXES) writeonly buffer Prefixes { uint b_prefixes[]; };

uniform int u_prefixes;

void main() {
    int place = invocation_index();
    if (place >= u_prefixes) {
        return;
    }
    int member = place % TUPLE;
    Words words;
    for (int i = 0; i < ITEM_WORDS; i++) {
        WORD(words, i) = b_carry[READ_AT(CARRY, member * ITEM_WORDS + i, 1)];
    }
    Item prefix = item_of_words(words);
    if (place >= TUPLE) {
        prefix = combine(prefix, sum_at(place - TUPLE));
    }
    words = words_of_item(prefix);
    for (int i = 0; i < ITEM_WORDS; i++) {
        b_prefixes[WRITE_AT(PREFIXES, place * ITEM_WORDS + i, 1)] = WORD(words, i);
    }
}
