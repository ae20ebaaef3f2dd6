// Wrapping by the geometry engine: a segment that crosses the right edge becomes two, an empty one none.
#include "compact/blocks/part.glsl"

layout(lines) in;
#if LINES
layout(line_strip, max_vertices = 4) out;
#else
layout(triangle_strip, max_vertices = 8) out;
#endif

flat in uvec3 v_segment[];

flat out uint v_way;

void main() {
    for (int number = 0; number < 2; number++) {
        ivec3 part = part_of(v_segment[0], number);
        if (part.y >= part.z) {
            continue;
        }
#if LINES
        const int CORNERS = 2;
#else
        const int CORNERS = 4;
#endif
        for (int corner = 0; corner < CORNERS; corner++) {
            v_way = v_segment[0].z;
            gl_Position = corner_of(part, ivec2(corner & 1, corner >> 1));
            EmitVertex();
        }
        EndPrimitive();
    }
}
