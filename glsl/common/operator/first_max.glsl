// first_max: the larger of two values with its index, or of equal ones the first.
#include "common/operator/first.glsl"

Item identity() { return no_item(ELEMENT_LOWEST); }

Item combine(Item left, Item right) {
    if (replaces(left, right, element_less(left.a, right.a))) {
        return right;
    }
    return left;
}
