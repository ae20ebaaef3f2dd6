// xor: the bits set in exactly one of the two.
#include "common/operator/plain.glsl"

Item identity() { return ELEMENT_ZERO; }
Item combine(Item left, Item right) { return element_xor(left, right); }
