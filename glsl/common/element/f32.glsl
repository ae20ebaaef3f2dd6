// f32: IEEE single precision. There are no bit operators.
#define Element float
#define Texel vec4
#define Sampler sampler2D
#include "common/element/one_word.glsl"

const Element ELEMENT_ZERO = 0.0;
const Element ELEMENT_ONE = 1.0;
#define ELEMENT_LOWEST uintBitsToFloat(0xFF800000u)
#define ELEMENT_HIGHEST uintBitsToFloat(0x7F800000u)

Element element_add(Element left, Element right) { return left + right; }
Element element_mul(Element left, Element right) { return left * right; }
Element element_min(Element left, Element right) { return right < left ? right : left; }
Element element_max(Element left, Element right) { return right > left ? right : left; }
