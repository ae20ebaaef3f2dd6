// u64: unsigned, two words.
#include "common/element/two_words.glsl"

const Element ELEMENT_LOWEST = uvec2(0u, 0u);
const Element ELEMENT_HIGHEST = uvec2(0xFFFFFFFFu, 0xFFFFFFFFu);

bool element_less(Element left, Element right) {
    return left.y < right.y || (left.y == right.y && left.x < right.x);
}

Element element_min(Element left, Element right) { return element_less(right, left) ? right : left; }
Element element_max(Element left, Element right) { return element_less(left, right) ? right : left; }
