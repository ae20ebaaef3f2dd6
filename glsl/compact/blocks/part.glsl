// A segment of the result as rows of a texture: the part up to the right edge, and the wrapped part.
#include "common/stream.glsl"

uniform ivec4 u_target_shape;

// The left part is 0, the wrapped one 1: row, start and end columns. Either may be empty.
ivec3 part_of(uvec3 segment, int part) {
    int width = u_target_shape.x;
    int start = int(segment.x);
    int row = start / width;
    int edge = (row + 1) * width;
    int end = int(segment.y);
    return part == 0
        ? ivec3(row, start - row * width, min(end, edge) - row * width)
        : ivec3(row + 1, 0, max(end - edge, 0));
}

// A corner of a part: for a line its ends, at the centres of texels; for a rectangle four, at their edges.
vec4 corner_of(ivec3 part, ivec2 corner) {
#if LINES
    vec2 place = vec2(corner.x == 0 ? part.y : part.z, part.x) + 0.5;
#else
    vec2 place = vec2(corner.x == 0 ? part.y : part.z, part.x + corner.y);
#endif
    return position_at(place, u_target_shape);
}
