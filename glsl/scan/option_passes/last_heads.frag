// Last heads: the index of the last bit that is set in each word of flags, or 0; four words to a texel.
#include "common/fetch.glsl"
#include "scan/common/highest_bit.glsl"

uniform usampler2D u_flags; // a word to a texel
uniform ivec4 u_flags_shape;
uniform ivec4 u_target_shape;

layout(location = 0) out uvec4 o_heads;

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * 4;
    uvec4 heads = uvec4(0u);
    for (int i = 0; i < 4; i++) {
        if (first + i < u_target_shape.w) {
            uint flags = fetch(u_flags, texel_in(first + i, u_flags_shape), u_flags_shape).x;
            heads[i] = flags == 0u ? 0u : uint((first + i) * 32 + highest_bit(flags));
        }
    }
    o_heads = heads;
}
