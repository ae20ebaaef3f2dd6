// A copy, four words at a time: the yardstick of everything that reads and writes all of a buffer.
#include "common/group.glsl"

layout(local_size_x = GROUP) in;
#ifdef TEXEL_LOADS
uniform usamplerBuffer u_source;
uniform int u_source_first; // the first texel that is bound
#define LOAD_AT(place) texelFetch(u_source, u_source_first + (place))
#else
layout(std430, binding = SOURCE) readonly buffer Source { uvec4 b_source[]; };
#define LOAD_AT(place) b_source[place]
#endif
layout(std430, binding = TARGET) writeonly buffer Target { uvec4 b_target[]; };
uniform int u_vectors;

void main() {
    int first = group_index() * GROUP * ROWS + int(gl_LocalInvocationIndex);
    for (int row = 0; row < ROWS; row++) {
        int at = first + row * GROUP;
        if (at < u_vectors) {
            b_target[at] = LOAD_AT(at);
        }
    }
}
