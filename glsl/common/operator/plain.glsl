// Items that are single elements.
#define Item Element
#define ITEM_WORDS ELEMENT_WORDS

Item item_of(Texel texel, int word) {
    return element_of(texel, word);
}

void put_item(inout Texel texel, int word, Item item) {
    put_element(texel, word, item);
}
