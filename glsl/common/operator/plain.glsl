// Items that are single elements.
#define Item Element
#define ITEM_WORDS ELEMENT_WORDS
#include "common/operator/words.glsl"

Item item_of(Texel texel, int word) {
    return element_of(texel, word);
}

void put_item(inout Texel texel, int word, Item item) {
    put_element(texel, word, item);
}

// The words of an item, and back.
Words words_of_item(Item item) { return uvec4(bits_of_element(item), 0u, 0u); }
Item item_of_words(Words words) { return element_of_bits(words.xy); }
