// add: left + right.
#include "common/operator/plain.glsl"

Item identity() { return ELEMENT_ZERO; }
Item combine(Item left, Item right) { return element_add(left, right); }
