// The loads of a dispatch's stream. On a CPU it is read as a texture (TEXEL_LOADS; `DispatchRecorder::bind_loads`).

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
