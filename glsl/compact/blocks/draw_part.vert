// Wrapping by drawing twice: the segments' left parts, or with PART 1 the parts beyond the right edge.
#include "common/stream.glsl"
#include "compact/blocks/ends.glsl"
#include "compact/blocks/part.glsl"

flat out uint v_way;

void main() {
    uvec3 segment = own_segment();
    ivec3 part = part_of(segment, PART);
    int vertex = gl_VertexID % VERTICES;
#if LINES
    ivec2 corner = ivec2(vertex, 0);
#else
    // Two triangles: the corners 0 1 2 and 2 1 3.
    int number = vertex < 3 ? vertex : (vertex == 3 ? 2 : vertex == 4 ? 1 : 3);
    ivec2 corner = ivec2(number & 1, number >> 1);
#endif
    v_way = segment.z;
    gl_Position = part.y < part.z ? corner_of(part, corner) : NOWHERE;
}
