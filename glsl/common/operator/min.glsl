// min: the smaller of the two.
#include "common/operator/plain.glsl"

Item identity() { return ELEMENT_HIGHEST; }
Item combine(Item left, Item right) { return element_min(left, right); }
