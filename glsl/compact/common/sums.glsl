// Running counts, each with its own element: PER_TEXEL of them in a texel.
#include "common/stream.glsl"

uniform usampler2D u_sums;
uniform ivec4 u_sums_shape;

int sum_at(int index) {
#if PER_TEXEL == 1
    return int(texelFetch(u_sums, texel_at(index, u_sums_shape), 0).x);
#else
    uvec4 sums = texelFetch(u_sums, texel_at(index / PER_TEXEL, u_sums_shape), 0);
    return int(sums[index % PER_TEXEL]);
#endif
}
