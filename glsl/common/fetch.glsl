// Fetches: shaders read textures only through these. In a recorded run (RECORDED) they record the texel.
#include "common/stream.glsl"
#include "common/record/reads.glsl"

#ifdef RECORDED
#define RECORD_READ(index, shape) record_read(source_of(shape), index)
#else
#define RECORD_READ(index, shape)
#endif

vec4 fetch(sampler2D stream, ivec2 texel, ivec4 shape) {
    RECORD_READ(index_of(texel, shape), shape);
    return texelFetch(stream, texel, 0);
}

ivec4 fetch(isampler2D stream, ivec2 texel, ivec4 shape) {
    RECORD_READ(index_of(texel, shape), shape);
    return texelFetch(stream, texel, 0);
}

uvec4 fetch(usampler2D stream, ivec2 texel, ivec4 shape) {
    RECORD_READ(index_of(texel, shape), shape);
    return texelFetch(stream, texel, 0);
}
