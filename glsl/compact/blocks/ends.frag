// The number of unwanted elements of each block: the last term of its running count. PER_TEXEL blocks in a texel of the
// target.
#include "common/fetch.glsl"

uniform usampler2D u_sums; // one per texel
uniform ivec4 u_sums_shape;
uniform ivec4 u_target_shape;

layout(location = 0) out uvec4 o_unwanted;

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * PER_TEXEL;
    uvec4 unwanted = uvec4(0u);
    for (int i = 0; i < PER_TEXEL; i++) {
        int last = min((first + i + 1) * BLOCK, u_sums_shape.w) - 1;
        unwanted[i] = fetch(u_sums, texel_at(last, u_sums_shape), u_sums_shape).x;
    }
    o_unwanted = unwanted;
}
