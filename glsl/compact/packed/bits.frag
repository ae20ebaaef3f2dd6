// The first pass: a texel of 128 bits for a group of 128 elements, 1 for each kept one.
#include "compact/common/keep.glsl"

layout(location = 0) out uvec4 o_bits;

void main() {
    ivec2 first = ivec2(gl_FragCoord.xy) * ivec2(128 / ITEMS, 1);
    uvec4 words = uvec4(0u);
    for (int word = 0; word < 4; word++) {
        uint bits = 0u;
        for (int texel = 0; texel < 32 / ITEMS; texel++) {
            bits |= kept_at(first) << (texel * ITEMS);
            first.x++;
        }
        words[word] = bits;
    }
    o_bits = words;
}
