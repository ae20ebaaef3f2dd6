// The number of unwanted elements of each block, from its bits: PER_TEXEL blocks in a texel of the target.
#include "compact/blocks/block_bits.glsl"

uniform ivec4 u_target_shape;
uniform int u_len; // elements of the stream

layout(location = 0) out uvec4 o_unwanted;

void main() {
    int block = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * PER_TEXEL;
    uvec4 sums = uvec4(0u);
    for (int i = 0; i < PER_TEXEL; i++) {
        int first = (block + i) * BLOCK;
        int end = min(first + BLOCK, u_len);
        int unwanted = max(end - first, 0);
        for (int index = first; index < end; index += TEXEL_ITEMS) { // at most BLOCK / TEXEL_ITEMS + 1 turns
            unwanted -= count_of(bits_around(index));
        }
        sums[i] = uint(unwanted);
    }
    o_unwanted = sums;
}
