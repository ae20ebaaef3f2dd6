// A texel of a segment: the element as far to its right as there are unwanted elements before its block.
#include <element>
#include "common/fetch.glsl"

uniform ivec4 u_target_shape;

flat in uint v_way;

#if MOVES_VALUES
uniform Sampler u_moved_values; // the blocks, each with its kept elements at its beginning
uniform ivec4 u_moved_values_shape;

layout(location = 0) out Texel o_value;
#endif
#if MOVES_INDICES
uniform usampler2D u_moved_indices;
uniform ivec4 u_moved_indices_shape;

layout(location = MOVES_VALUES) out uvec4 o_index;
#endif

void main() {
    int from = index_of(ivec2(gl_FragCoord.xy), u_target_shape) + int(v_way);
#if MOVES_VALUES
    o_value = fetch(u_moved_values, texel_at(from, u_moved_values_shape), u_moved_values_shape);
#endif
#if MOVES_INDICES
    o_index = fetch(u_moved_indices, texel_at(from, u_moved_indices_shape), u_moved_indices_shape);
#endif
}
