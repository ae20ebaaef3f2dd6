// Items of ARITY elements, three or more.
struct Item {
    Element e[ARITY];
};
#define ITEM_WORDS (ARITY * ELEMENT_WORDS)
#include "common/operator/words.glsl"

#if ITEM_WORDS <= 4
Item item_of(Texel texel, int word) {
    Item item;
    for (int i = 0; i < ARITY; i++) {
        item.e[i] = element_of(texel, word + i * ELEMENT_WORDS);
    }
    return item;
}

void put_item(inout Texel texel, int word, Item item) {
    for (int i = 0; i < ARITY; i++) {
        put_element(texel, word + i * ELEMENT_WORDS, item.e[i]);
    }
}
#endif

Words words_of_item(Item item) {
    Words words;
    for (int i = 0; i < ARITY; i++) {
        uvec2 bits = bits_of_element(item.e[i]);
        WORD(words, i * ELEMENT_WORDS) = bits.x;
#if ELEMENT_WORDS == 2
        WORD(words, i * ELEMENT_WORDS + 1) = bits.y;
#endif
    }
    return words;
}

Item item_of_words(Words words) {
    Item item;
    for (int i = 0; i < ARITY; i++) {
#if ELEMENT_WORDS == 2
        uvec2 bits = uvec2(WORD(words, 2 * i), WORD(words, 2 * i + 1));
#else
        uvec2 bits = uvec2(WORD(words, i), 0u);
#endif
        item.e[i] = element_of_bits(bits);
    }
    return item;
}
