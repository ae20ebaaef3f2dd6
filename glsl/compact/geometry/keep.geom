// Drops the unwanted points; transform feedback captures the others one after the other.
#include "compact/common/condition.glsl"

layout(points) in;
layout(points, max_vertices = 1) out;

flat in uvec2 v_bits[];
flat in uint v_number[];
flat in uint v_mask[];

#if ELEMENT_WORDS == 1
flat out uint v_value;
#else
flat out uvec2 v_value;
#endif
flat out uint v_index;

void main() {
#if MASKED
    bool kept = v_mask[0] != 0u;
#else
    bool kept = is_kept(element_of_bits(v_bits[0]));
#endif
    if (kept) {
#if ELEMENT_WORDS == 1
        v_value = v_bits[0].x;
#else
        v_value = v_bits[0];
#endif
        v_index = v_number[0];
        gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
        EmitVertex();
        EndPrimitive();
    }
}
