// The segment that a vertex belongs to: captured before (CAPTURED), or computed again.
#if CAPTURED
layout(location = 0) in uvec3 a_segment;
#else
#include "compact/blocks/segment.glsl"
#endif

uvec3 own_segment() {
#if CAPTURED
    return a_segment;
#else
    return segment_of(gl_VertexID / VERTICES);
#endif
}
