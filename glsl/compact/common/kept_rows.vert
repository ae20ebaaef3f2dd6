// A rectangle over the rows of the result that kept elements will fill: the vertex stage reads the count, so no
// fragment is drawn in vain past the last row. A texel holds ITEMS of the result.
#include "common/fetch.glsl"

uniform usampler2D u_count;
uniform ivec4 u_count_shape;
uniform ivec4 u_target_shape;

flat out int v_count;

void main() {
    v_count = int(fetch(u_count, ivec2(0), u_count_shape).x);
    int texels = (v_count + ITEMS - 1) / ITEMS;
    int rows = (texels + u_target_shape.x - 1) / u_target_shape.x;
    ivec2 corner = ivec2(gl_VertexID & 1, gl_VertexID >> 1) * ivec2(u_target_shape.x, rows);
    gl_Position = position_at(vec2(corner), u_target_shape);
}
