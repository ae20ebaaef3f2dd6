// f32: IEEE single precision. There are no bit operators.
#define Element float
#define Texel vec4
#define Sampler sampler2D
#define SamplerArray sampler2DArray
#include "common/element/one_word.glsl"

const Element ELEMENT_ZERO = 0.0;
const Element ELEMENT_ONE = 1.0;
#define ELEMENT_LOWEST uintBitsToFloat(0xFF800000u)
#define ELEMENT_HIGHEST uintBitsToFloat(0x7F800000u)

Element element_of_bits(uvec2 bits) { return uintBitsToFloat(bits.x); }
uvec2 bits_of_element(Element value) { return uvec2(floatBitsToUint(value), 0u); }

// Comparisons by the bits: GLSL leaves the behaviour of NaN, and of numbers below the normal range, undefined.
bool is_number(float value) { return (floatBitsToUint(value) & 0x7FFFFFFFu) <= 0x7F800000u; }

// A key in the order of the numbers; both zeros have the same key.
uint order_of(float value) {
    uint bits = floatBitsToUint(value);
    if ((bits << 1) == 0u) {
        return 0x80000000u;
    }
    return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
}

bool element_less(Element left, Element right) {
    return is_number(left) && is_number(right) && order_of(left) < order_of(right);
}

bool element_equal(Element left, Element right) {
    return is_number(left) && is_number(right) && order_of(left) == order_of(right);
}

Element element_add(Element left, Element right) { return left + right; }
Element element_mul(Element left, Element right) { return left * right; }
Element element_min(Element left, Element right) { return right < left ? right : left; }
Element element_max(Element left, Element right) { return right > left ? right : left; }
