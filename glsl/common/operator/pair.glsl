// Items that are pairs of elements.
struct Item {
    Element a;
    Element b;
};
#define ITEM_WORDS (2 * ELEMENT_WORDS)
#include "common/operator/words.glsl"

Item item_of(Texel texel, int word) {
    return Item(element_of(texel, word), element_of(texel, word + ELEMENT_WORDS));
}

void put_item(inout Texel texel, int word, Item item) {
    put_element(texel, word, item.a);
    put_element(texel, word + ELEMENT_WORDS, item.b);
}

// The words of an item, and back.
Words words_of_item(Item item) {
    uvec2 a = bits_of_element(item.a), b = bits_of_element(item.b);
    return ELEMENT_WORDS == 1 ? uvec4(a.x, b.x, 0u, 0u) : uvec4(a, b);
}

Item item_of_words(Words words) {
    uvec2 b = ELEMENT_WORDS == 1 ? uvec2(words.y, 0u) : words.zw;
    return Item(element_of_bits(words.xy), element_of_bits(b));
}
