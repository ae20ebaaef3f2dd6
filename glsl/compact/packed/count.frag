// The number of kept elements: those before the last group, and its own.
#include "common/length.glsl"

uniform usampler2D u_counts;
uniform ivec4 u_counts_shape;
uniform usampler2D u_before; // the counts, scanned
uniform ivec4 u_before_shape;

layout(location = 0) out uvec4 o_count;

void main() {
    int last = items_of(u_counts_shape, 128) - 1;
    if (last < 0) {
        o_count = uvec4(0u);
        return;
    }
    ivec2 at = texel_at(last / 4, u_counts_shape);
    int i = last % 4;
    o_count = uvec4(fetch(u_counts, at, u_counts_shape)[i] + fetch(u_before, at, u_before_shape)[i]);
}
