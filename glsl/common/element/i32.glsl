// i32: two's complement, wrapping. Sums and products are computed unsigned, where wrapping is defined.
#define Element int
#define Texel ivec4
#define Sampler isampler2D
#define SamplerArray isampler2DArray
#include "common/element/one_word.glsl"

const Element ELEMENT_ZERO = 0;
const Element ELEMENT_ONE = 1;
const Element ELEMENT_ALL_BITS = -1;
const Element ELEMENT_LOWEST = int(0x80000000u);
const Element ELEMENT_HIGHEST = 0x7FFFFFFF;

Element element_of_bits(uvec2 bits) { return int(bits.x); }
uvec2 bits_of_element(Element value) { return uvec2(uint(value), 0u); }
bool element_less(Element left, Element right) { return left < right; }
bool element_equal(Element left, Element right) { return left == right; }

Element element_add(Element left, Element right) { return int(uint(left) + uint(right)); }
Element element_mul(Element left, Element right) { return int(uint(left) * uint(right)); }
Element element_min(Element left, Element right) { return min(left, right); }
Element element_max(Element left, Element right) { return max(left, right); }
Element element_and(Element left, Element right) { return left & right; }
Element element_or(Element left, Element right) { return left | right; }
Element element_xor(Element left, Element right) { return left ^ right; }
