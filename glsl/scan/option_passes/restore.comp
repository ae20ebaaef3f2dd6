// Restore: the results where their items were, without flags, and after the seed (SEEDED).
#include "scan/option_passes/buffers.glsl"

#if SEEDED
layout(std430, binding = SEED) readonly buffer Seed { uint b_seed[]; };
#endif

void main() {
    int index = invocation_index();
    if (index >= u_len) {
        return;
    }
    int visit = visit_of_index(index);
    Words words;
    for (int i = 0; i < ITEM_WORDS; i++) {
        WORD(words, i) = b_source[READ_AT(SOURCE, visit * ITEM_WORDS + i, 1)];
    }
    Item item = item_of_words(words);
#if SPLIT
    Value value = item.value;
#if EXCLUSIVE
    // The item before belongs to another scan.
    if (begins(visit, index)) {
        value = no_value();
    }
#endif
#else
    Value value = item;
#endif
#if SEEDED
    ValueWords seed;
    for (int i = 0; i < VALUE_WORDS; i++) {
        VALUE_WORD(seed, i) = b_seed[READ_AT(SEED, visit % TUPLE * VALUE_WORDS + i, 1)];
    }
    value = combine_values(value_of_words(seed), value);
#endif
    ValueWords result = words_of_value(value);
    for (int i = 0; i < VALUE_WORDS; i++) {
        b_target[WRITE_AT(TARGET, index * VALUE_WORDS + i, 1)] = VALUE_WORD(result, i);
    }
}
