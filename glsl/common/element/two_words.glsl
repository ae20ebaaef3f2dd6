// Elements of two words: (low, high) in two channels of the texel. Signed and unsigned ones differ only in their order,
// so add, mul and the bit operators are shared.
#define Element uvec2
#define Texel uvec4
#define Sampler usampler2D
#define SamplerArray usampler2DArray
#define ELEMENT_WORDS 2

const Element ELEMENT_ZERO = uvec2(0u, 0u);
const Element ELEMENT_ONE = uvec2(1u, 0u);
const Element ELEMENT_ALL_BITS = uvec2(0xFFFFFFFFu, 0xFFFFFFFFu);

Element element_of(Texel texel, int word) {
    return uvec2(texel[word], texel[word + 1]);
}

void put_element(inout Texel texel, int word, Element value) {
    texel[word] = value.x;
    texel[word + 1] = value.y;
}

Element element_of_bits(uvec2 bits) { return bits; }
uvec2 bits_of_element(Element value) { return value; }
bool element_equal(Element left, Element right) { return left == right; }

Element element_add(Element left, Element right) {
    uint low = left.x + right.x;
    return uvec2(low, left.y + right.y + uint(low < left.x));
}

// The low 64 bits of the product, from 16-bit halves: GLSL 3.30 has no wide multiplication.
Element element_mul(Element left, Element right) {
    uint l0 = left.x & 0xFFFFu, l1 = left.x >> 16;
    uint r0 = right.x & 0xFFFFu, r1 = right.x >> 16;
    uint low = l0 * r0;
    uint middle = l1 * r0 + (low >> 16);
    uint carry = middle >> 16;
    middle = l0 * r1 + (middle & 0xFFFFu);
    carry += middle >> 16;
    uint high = l1 * r1 + carry + left.x * right.y + left.y * right.x;
    return uvec2((middle << 16) | (low & 0xFFFFu), high);
}

Element element_and(Element left, Element right) { return left & right; }
Element element_or(Element left, Element right) { return left | right; }
Element element_xor(Element left, Element right) { return left ^ right; }
