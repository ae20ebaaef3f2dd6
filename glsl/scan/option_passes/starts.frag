// Starts: for each 8 items their flags, and where the scan begins that reaches the first: in the upper 24 bits how many
// items before it, or in streams too long for that (FAR) as an index in a second channel.
#include "common/fetch.glsl"
#include "scan/common/highest_bit.glsl"

uniform usampler2D u_flags; // a word to a texel
uniform ivec4 u_flags_shape;
uniform usampler2D u_before; // the last head before each word, four to a texel
uniform ivec4 u_before_shape;
uniform ivec4 u_target_shape;

layout(location = 0) out uvec4 o_starts;

void main() {
    int group = index_of(ivec2(gl_FragCoord.xy), u_target_shape);
    int word = min(group, u_target_shape.w - 1) >> 2;
    uint flags = fetch(u_flags, texel_in(word, u_flags_shape), u_flags_shape).x;
    int shift = (group & 3) * 8;
    uint own = flags >> uint(shift) & 0xFFu, lower = flags & ((1u << uint(shift)) - 1u);
    uint start = uint(word * 32 + highest_bit(lower));
    if (lower == 0u) {
        start = fetch(u_before, texel_in(word >> 2, u_before_shape), u_before_shape)[word & 3];
    }
#if FAR
    o_starts = uvec4(own, start, 0u, 0u);
#else
    o_starts = uvec4(own | (uint(group * 8) - start) << 8);
#endif
}
