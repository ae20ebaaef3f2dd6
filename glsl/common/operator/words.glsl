// The words of an item: as many as a vector has, or more.
#if ITEM_WORDS > 4
struct Words {
    uint of[ITEM_WORDS];
};
#define WORD(words, number) words.of[number]
#else
#define Words uvec4
#define WORD(words, number) words[number]
#endif
