// and: the bits set in both.
#include "common/operator/plain.glsl"

Item identity() { return ELEMENT_ALL_BITS; }
Item combine(Item left, Item right) { return element_and(left, right); }
