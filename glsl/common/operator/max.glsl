// max: the larger of the two.
#include "common/operator/plain.glsl"

Item identity() { return ELEMENT_LOWEST; }
Item combine(Item left, Item right) { return element_max(left, right); }
