// Running counts, each with its own element: PER_TEXEL of them in a texel.
#include "common/fetch.glsl"

uniform usampler2D u_sums;
uniform ivec4 u_sums_shape;

int sum_at(int index) {
#if PER_TEXEL == 1
    return int(fetch(u_sums, texel_at(index, u_sums_shape), u_sums_shape).x);
#else
    uvec4 sums = fetch(u_sums, texel_at(index / PER_TEXEL, u_sums_shape), u_sums_shape);
    return int(sums[index % PER_TEXEL]);
#endif
}
