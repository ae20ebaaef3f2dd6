// The item that a pass works on: its type, identity() and combine(left, right), and its layout in a texel. The pass
// chooses the element and the operator.
#include <element>
#include <operator>

#if ITEM_WORDS <= 4
// Texels of a single item.
Item the_item(Texel texel) {
    return item_of(texel, 0);
}

Texel texel_of(Item item) {
    Texel texel = Texel(0);
    put_item(texel, 0, item);
    return texel;
}
#endif
