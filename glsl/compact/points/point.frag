// A point's texel: its element, its index, or both.
#include <element>

flat in uvec2 v_bits;
flat in uint v_index;

#if MOVES_VALUES
layout(location = 0) out Texel o_value;
#endif
#if MOVES_INDICES
layout(location = MOVES_VALUES) out uvec4 o_index;
#endif

void main() {
#if MOVES_VALUES
    o_value = Texel(0);
    put_element(o_value, 0, element_of_bits(v_bits));
#endif
#if MOVES_INDICES
    o_index = uvec4(v_index);
#endif
}
