// A rectangle over the rows that the first items of a stream fill: the vertex stage reads their number, so that a pass
// costs what is there, not what fits. One row more is drawn, for what a pass reads past the last item.
#include "common/fetch.glsl"

uniform usampler2D u_length; // a single u32
uniform ivec4 u_length_shape;
uniform ivec4 u_target_shape;
uniform int u_capacity; // the most items of the stream

void main() {
    int height = height_of(u_target_shape);
    uint length = fetch(u_length, ivec2(0), u_length_shape).x;
    uint in_row = uint(max(u_capacity / height, 1));
    int rows = int(min(min(length, uint(u_capacity)) / in_row + 2u, uint(height)));
    ivec2 corner = ivec2(gl_VertexID & 1, gl_VertexID >> 1) * ivec2(u_target_shape.x, rows);
    gl_Position = position_at(vec2(corner), u_target_shape);
}
