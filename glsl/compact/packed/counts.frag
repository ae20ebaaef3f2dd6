// The number of elements that each group keeps: four groups in a texel.
#include "common/length.glsl"
#include "compact/common/bits.glsl"

uniform usampler2D u_bits;
uniform ivec4 u_bits_shape; // its length is in groups
uniform ivec4 u_target_shape;

layout(location = 0) out uvec4 o_counts;

void main() {
    int group = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * 4;
    uvec4 sums = uvec4(0u);
    for (int i = 0; i < 4; i++) {
        if (group + i < items_of(u_bits_shape, 128)) {
            sums[i] = uint(all_bits_in(fetch(u_bits, texel_at(group + i, u_bits_shape), u_bits_shape)));
        }
    }
    o_counts = sums;
}
