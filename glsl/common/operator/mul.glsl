// mul: left * right.
#include "common/operator/plain.glsl"

Item identity() { return ELEMENT_ONE; }
Item combine(Item left, Item right) { return element_mul(left, right); }
