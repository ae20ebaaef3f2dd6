// Scatter by vertices: each element is a point that goes to its index minus the number of unwanted elements before it.
#include "compact/common/keep.glsl"
#include "compact/common/sums.glsl"
#include "compact/common/values.glsl"

uniform ivec4 u_target_shape;

flat out uvec2 v_bits;
flat out uint v_index;

void main() {
    int index = gl_VertexID;
    ivec2 at = texel_at(index, DECIDING_SHAPE);
    v_index = uint(index);
#if MOVES_VALUES
    v_bits = bits_of_element(element_of(fetch(u_values, texel_at(index, u_values_shape), u_values_shape), 0));
#else
    v_bits = uvec2(0u);
#endif
    gl_PointSize = 1.0;
    gl_Position = NOWHERE;
    if (kept_at(at) != 0u) {
        int place = index - sum_at(index);
        int row = place / u_target_shape.x;
        gl_Position = position_at(vec2(place - row * u_target_shape.x, row) + 0.5, u_target_shape);
    }
}
