// A copy: every texel written once, and read once, the least that any pass over a stream can do. With more FETCHES each
// fragment fetches neighbours in its row, too, and keeps no bit of theirs.
#include <element>

uniform Sampler u_source;
#if FETCHES > 1
uniform int u_kept_bits; // 0; a uniform, so that a compiler cannot remove the fetches
#endif

layout(location = 0) out Texel o_copy;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    Texel copy = texelFetch(u_source, here, 0);
#if FETCHES > 1
    for (int i = 1; i < FETCHES; i++) {
        copy |= texelFetch(u_source, here ^ ivec2(i, 0), 0) & Texel(u_kept_bits);
    }
#endif
    o_copy = copy;
}
