// The first pass of inner=packed: a bit for each element, 1 if it is kept; WORDS words of 32 in a texel.
#include "compact/common/keep.glsl"

uniform ivec4 u_target_shape;

layout(location = 0) out uvec4 o_bits;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    uvec4 words = uvec4(0u);
    for (int word = 0; word < WORDS; word++) {
        ivec2 first = ivec2((here.x * WORDS + word) * 32, here.y);
        uint bits = 0u;
        for (int i = 0; i < 32; i++) {
            bits |= kept_at(first + ivec2(i, 0)) << i;
        }
        words[word] = bits;
    }
    o_bits = words;
}
