// The texel that a fragment writes, in PLANES planes.

#if PLANES == 1
layout(location = 0) out Texel o_texel;
#else
layout(location = 0) out Texel o_planes[PLANES];
#endif

void write_texel(Texel planes[PLANES]) {
#if PLANES == 1
    o_texel = planes[0];
#else
    // Outputs are indexed by constants: OpenGL ES demands it.
    o_planes[0] = planes[0];
    o_planes[1] = planes[1];
#if PLANES > 2
    o_planes[2] = planes[2];
#endif
#if PLANES > 3
    o_planes[3] = planes[3];
#endif
#if PLANES > 4
    o_planes[4] = planes[4];
#endif
#endif
}
