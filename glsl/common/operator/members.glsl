// Items of members with names and types of their own, which stand before this file: words of u32.
#if ITEM_WORDS <= 4
Item item_of(Texel texel, int word) {
    Words words = Words(0u);
    for (int i = 0; i < ITEM_WORDS; i++) {
        WORD(words, i) = texel[word + i];
    }
    return item_of_words(words);
}

void put_item(inout Texel texel, int word, Item item) {
    Words words = words_of_item(item);
    for (int i = 0; i < ITEM_WORDS; i++) {
        texel[word + i] = WORD(words, i);
    }
}
#endif
