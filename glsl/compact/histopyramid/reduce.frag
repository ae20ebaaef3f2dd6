// A level of the pyramid: each of a texel's four counts is the sum of the four in a texel of the level below.
#include "common/fetch.glsl"

uniform usampler2D u_level;
uniform ivec4 u_level_shape;
uniform ivec4 u_target_shape;

layout(location = 0) out uvec4 o_counts;

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * 4;
    uvec4 sums = uvec4(0u);
    for (int i = 0; i < 4; i++) {
        if ((first + i) * 4 < u_level_shape.w) {
            uvec4 counts = fetch(u_level, texel_at(first + i, u_level_shape), u_level_shape);
            sums[i] = counts.x + counts.y + counts.z + counts.w;
        }
    }
    o_counts = sums;
}
