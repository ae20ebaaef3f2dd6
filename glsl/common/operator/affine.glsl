// affine: the map x -> a*x + b as a pair (a, b), composed. The left map is applied first, so the
// operator does not commute.
#include "common/operator/pair.glsl"

Item identity() {
    return Item(ELEMENT_ONE, ELEMENT_ZERO);
}

Item combine(Item left, Item right) {
    return Item(
        element_mul(right.a, left.a),
        element_add(element_mul(right.a, left.b), right.b));
}
