// The sums of tiles, as items one after the other: TUPLE for each tile.

#ifndef SUMS_MEMORY
#define SUMS_MEMORY
#endif
layout(std430, binding = SUMS) SUMS_MEMORY buffer Sums { uint b_sums[]; };

Item sum_at(int place) {
    Words words;
    for (int i = 0; i < ITEM_WORDS; i++) {
        WORD(words, i) = b_sums[READ_AT(SUMS, place * ITEM_WORDS + i, 1)];
    }
    return item_of_words(words);
}

void put_sum(int place, Item sum) {
    Words words = words_of_item(sum);
    for (int i = 0; i < ITEM_WORDS; i++) {
        b_sums[WRITE_AT(SUMS, place * ITEM_WORDS + i, 1)] = WORD(words, i);
    }
}
