// The segments' ends, captured once for each of the VERTICES that will draw a segment.
#include "compact/blocks/segment.glsl"

flat out uvec3 v_segment;

void main() {
    v_segment = segment_of(gl_VertexID / VERTICES);
    gl_Position = NOWHERE;
}
