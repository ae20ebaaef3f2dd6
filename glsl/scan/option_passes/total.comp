// Total: the sum of each member of the tuples, from the last results, and of an exclusive scan from the last items too.
#include "scan/option_passes/places.glsl"
#include "common/group.glsl"
#include "common/bound_length.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = SCANNED) readonly buffer Scanned { uint b_scanned[]; };
#if EXCLUSIVE
layout(std430, binding = SOURCE) readonly buffer Source { uint b_source[]; };
#endif
#if SEEDED
layout(std430, binding = SEED) readonly buffer Seed { uint b_seed[]; };
#endif
layout(std430, binding = TOTAL) writeonly buffer Total { uint b_total[]; };

void main() {
    int member = int(gl_LocalInvocationIndex);
    if (member >= TUPLE) {
        return;
    }
    int len = bound_length(u_len);
    Item total = identity();
    Words words;
#if SEEDED
    // Without items the total is the seed.
    for (int i = 0; i < ITEM_WORDS; i++) {
        WORD(words, i) = b_seed[READ_AT(SEED, member * ITEM_WORDS + i, 1)];
    }
    total = item_of_words(words);
#endif
    if (len >= TUPLE) {
        int visit = len - TUPLE + member;
        int index = index_of_visit(visit);
        for (int i = 0; i < ITEM_WORDS; i++) {
            WORD(words, i) = b_scanned[READ_AT(SCANNED, index * ITEM_WORDS + i, 1)];
        }
        total = item_of_words(words);
#if EXCLUSIVE
        for (int i = 0; i < ITEM_WORDS; i++) {
            WORD(words, i) = b_source[READ_AT(SOURCE, index * ITEM_WORDS + i, 1)];
        }
        total = combine(total, item_of_words(words));
#endif
    }
    Words result = words_of_item(total);
    for (int i = 0; i < ITEM_WORDS; i++) {
        b_total[WRITE_AT(TOTAL, member * ITEM_WORDS + i, 1)] = WORD(result, i);
    }
}
