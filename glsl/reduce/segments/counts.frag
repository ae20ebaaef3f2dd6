// Counts: the number of segments that begin in each word of flags. The first item begins one.
#include "common/fetch.glsl"
#include "reduce/segments/heads.glsl"

uniform usampler2D u_flags; // a word to a texel
uniform ivec4 u_flags_shape;
uniform ivec4 u_target_shape;
uniform int u_len; // items of the stream

layout(location = 0) out uvec4 o_counts;

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * TARGET_ITEMS;
    uvec4 counts = uvec4(0u);
    for (int i = 0; i < TARGET_ITEMS; i++) {
        if (first + i < u_target_shape.w) {
            uint flags = fetch(u_flags, texel_in(first + i, u_flags_shape), u_flags_shape).x;
            counts[i] = count_of(heads_of(flags, first + i, u_len));
        }
    }
    o_counts = counts;
}
