// A copy: every texel read once and written once, the least that any pass over a stream can do.
#include <element>

uniform Sampler u_source;

layout(location = 0) out Texel o_copy;

void main() {
    o_copy = texelFetch(u_source, ivec2(gl_FragCoord.xy), 0);
}
