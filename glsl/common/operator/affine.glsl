// affine: the map x -> a*x + b as a pair (a, b), composed. The left map is applied first, so the
// operator does not commute.
struct Item {
    Element a;
    Element b;
};
#define ITEM_WORDS (2 * ELEMENT_WORDS)

Item item_of(Texel texel, int word) {
    return Item(element_of(texel, word), element_of(texel, word + ELEMENT_WORDS));
}

void put_item(inout Texel texel, int word, Item item) {
    put_element(texel, word, item.a);
    put_element(texel, word + ELEMENT_WORDS, item.b);
}

Item identity() {
    return Item(ELEMENT_ONE, ELEMENT_ZERO);
}

Item combine(Item left, Item right) {
    return Item(
        element_mul(right.a, left.a),
        element_add(element_mul(right.a, left.b), right.b));
}
