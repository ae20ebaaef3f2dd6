// Items and flags in textures of any width.
#include "scan/around/places.glsl"
#include "common/fetch.glsl"

uniform Sampler u_source;
uniform ivec4 u_source_shape;
uniform ivec4 u_target_shape;
#if FLAGGED && USES_FLAGS
uniform usampler2D u_flags;
uniform ivec4 u_flags_shape;
#endif

#if FLAGGED
bool flag_at(int index) {
#if USES_FLAGS
    uvec4 words = fetch(u_flags, texel_in(index >> 7, u_flags_shape), u_flags_shape);
    return (words[index >> 5 & 3] >> uint(index & 31) & 1u) != 0u;
#else
    return false;
#endif
}
#endif
