// i64: two's complement, two words.
#include "common/element/two_words.glsl"

const Element ELEMENT_LOWEST = uvec2(0u, 0x80000000u);
const Element ELEMENT_HIGHEST = uvec2(0xFFFFFFFFu, 0x7FFFFFFFu);

bool element_less(Element left, Element right) {
    int l = int(left.y), r = int(right.y);
    return l < r || (l == r && left.x < right.x);
}

Element element_min(Element left, Element right) { return element_less(right, left) ? right : left; }
Element element_max(Element left, Element right) { return element_less(left, right) ? right : left; }
