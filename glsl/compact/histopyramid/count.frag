// The number of kept elements: the sum of the top.
#include "common/fetch.glsl"

uniform usampler2D u_level;
uniform ivec4 u_level_shape;

layout(location = 0) out uvec4 o_count;

void main() {
    uvec4 counts = fetch(u_level, ivec2(0), u_level_shape);
    o_count = uvec4(counts.x + counts.y + counts.z + counts.w);
}
