// A rectangle over the rows of the target that items are put into: from the base on, as many as the count says.
#include "common/fetch.glsl"

uniform usampler2D u_count;
uniform ivec4 u_count_shape;
uniform usampler2D u_base;
uniform ivec4 u_base_shape;
uniform ivec4 u_target_shape;

flat out int v_base;
flat out int v_end;

void main() {
    uint len = uint(u_target_shape.w);
    uint base = min(fetch(u_base, ivec2(0), u_base_shape).x, len);
    uint count = min(fetch(u_count, ivec2(0), u_count_shape).x, len - base);
    v_base = int(base);
    v_end = int(base + count);
    int width = u_target_shape.x;
    int top = v_base / width, bottom = count == 0u ? top : (v_end - 1) / width + 1;
    ivec2 corner = ivec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = position_at(vec2(corner.x * width, corner.y == 0 ? top : bottom), u_target_shape);
}
