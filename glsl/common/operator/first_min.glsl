// first_min: the smaller of two values with its index, or of equal ones the first.
#include "common/operator/first.glsl"

Item identity() { return no_item(ELEMENT_HIGHEST); }

Item combine(Item left, Item right) {
    if (replaces(left, right, element_less(right.a, left.a))) {
        return right;
    }
    return left;
}
