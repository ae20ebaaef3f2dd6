// The sums of tiles, as items one after the other: TUPLE for each tile.

#ifndef SUMS_MEMORY
#define SUMS_MEMORY
#endif
layout(std430, binding = SUMS) SUMS_MEMORY buffer Sums { uint b_sums[]; };

Item sum_at(int place) {
    uvec4 words = uvec4(0u);
    for (int i = 0; i < ITEM_WORDS; i++) {
        words[i] = b_sums[READ_AT(SUMS, place * ITEM_WORDS + i, 1)];
    }
    return item_of_words(words);
}

void put_sum(int place, Item sum) {
    uvec4 words = words_of_item(sum);
    for (int i = 0; i < ITEM_WORDS; i++) {
        b_sums[WRITE_AT(SUMS, place * ITEM_WORDS + i, 1)] = words[i];
    }
}
