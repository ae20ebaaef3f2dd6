// u32: unsigned, wrapping.
#define Element uint
#define Texel uvec4
#define Sampler usampler2D
#define SamplerArray usampler2DArray
#include "common/element/one_word.glsl"

const Element ELEMENT_ZERO = 0u;
const Element ELEMENT_ONE = 1u;
const Element ELEMENT_ALL_BITS = 0xFFFFFFFFu;
const Element ELEMENT_LOWEST = 0u;
const Element ELEMENT_HIGHEST = 0xFFFFFFFFu;

Element element_of_bits(uvec2 bits) { return bits.x; }
uvec2 bits_of_element(Element value) { return uvec2(value, 0u); }
bool element_less(Element left, Element right) { return left < right; }
bool element_equal(Element left, Element right) { return left == right; }

Element element_add(Element left, Element right) { return left + right; }
Element element_mul(Element left, Element right) { return left * right; }
Element element_min(Element left, Element right) { return min(left, right); }
Element element_max(Element left, Element right) { return max(left, right); }
Element element_and(Element left, Element right) { return left & right; }
Element element_or(Element left, Element right) { return left | right; }
Element element_xor(Element left, Element right) { return left ^ right; }
