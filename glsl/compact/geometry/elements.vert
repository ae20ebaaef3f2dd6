// Each element is a vertex, with its mask if there is one.
#include <element>

#if ELEMENT_WORDS == 1
layout(location = 0) in uint a_value;
#else
layout(location = 0) in uvec2 a_value;
#endif
#if MASKED
layout(location = 1) in uint a_mask;
#endif

flat out uvec2 v_bits;
flat out uint v_number;
flat out uint v_mask;

void main() {
#if ELEMENT_WORDS == 1
    v_bits = uvec2(a_value, 0u);
#else
    v_bits = a_value;
#endif
    v_number = uint(gl_VertexID);
#if MASKED
    v_mask = a_mask;
#else
    v_mask = 1u;
#endif
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
