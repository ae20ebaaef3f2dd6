// The stream that a dispatch reads, LOAD words at a time: 1, 2 or 4. On a CPU it is read as a texture (TEXEL_LOADS;
// `DispatchRecorder::bind_loads`).
#include "common/group.glsl"

#if LOAD == 4
#define Loaded uvec4
#define LOADED_WORD(loaded, word) loaded[word]
#elif LOAD == 2
#define Loaded uvec2
#define LOADED_WORD(loaded, word) loaded[word]
#else
#define Loaded uint
#define LOADED_WORD(loaded, word) loaded
#endif

#ifdef TEXEL_LOADS
uniform usamplerBuffer u_source;
uniform int u_source_first; // the first texel that is bound
Loaded load_at(int place) {
    return Loaded(texelFetch(u_source, u_source_first + READ_AT(SOURCE, place, LOAD)));
}
#else
layout(std430, binding = SOURCE) readonly buffer Source { Loaded b_source[]; };
Loaded load_at(int place) {
    return b_source[READ_AT(SOURCE, place, LOAD)];
}
#endif
