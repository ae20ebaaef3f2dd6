// The result's texel, for streams of one item per texel: the element at an index, the index, or both.
#include "compact/common/values.glsl"

#if MOVES_VALUES
layout(location = 0) out Texel o_value;
#endif
#if MOVES_INDICES
layout(location = MOVES_VALUES) out uvec4 o_index;
#endif

void move_from(int index) {
#if MOVES_VALUES
    o_value = fetch(u_values, texel_at(index, u_values_shape), u_values_shape);
#endif
#if MOVES_INDICES
    o_index = uvec4(index);
#endif
}
