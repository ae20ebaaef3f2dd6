// Wrapping by drawing twice: the segments' left parts, or with PART 1 what crosses the right edge.
#include "compact/blocks/part.glsl"

layout(location = 0) in uvec3 a_segment;

flat out uint v_way;

void main() {
    ivec3 part = part_of(a_segment, PART);
#if LINES
    ivec2 corner = ivec2(gl_VertexID % 2, 0);
#else
    // Two triangles: the corners 0 1 2 and 2 1 3.
    int vertex = gl_VertexID % 6;
    int number = vertex < 3 ? vertex : (vertex == 3 ? 2 : vertex == 4 ? 1 : 3);
    ivec2 corner = ivec2(number & 1, number >> 1);
#endif
    v_way = a_segment.z;
    gl_Position = part.y < part.z ? corner_of(part, corner) : NOWHERE;
}
