// Count: the sum of two counts.
#include "common/fetch.glsl"

uniform usampler2D u_count;
uniform ivec4 u_count_shape;
uniform usampler2D u_base;
uniform ivec4 u_base_shape;

layout(location = 0) out uvec4 o_count;

void main() {
    o_count = fetch(u_count, ivec2(0), u_count_shape) + fetch(u_base, ivec2(0), u_base_shape);
}
