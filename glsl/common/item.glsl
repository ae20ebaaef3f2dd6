// The item that a pass works on: its type, identity() and combine(left, right), and how it lies
// in a texel. The element and the operator are chosen by the pass.
#include <element>
#include <operator>

// Texels of one item.
Item the_item(Texel texel) {
    return item_of(texel, 0);
}

Texel texel_of(Item item) {
    Texel texel = Texel(0);
    put_item(texel, 0, item);
    return texel;
}
