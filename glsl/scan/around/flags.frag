// Flags: the words whose bits are set at ascending offsets, a word to a texel. Each finds its first offset by bisection.
#include "common/fetch.glsl"

uniform usampler2D u_offsets; // four to a texel
uniform ivec4 u_offsets_shape;
uniform ivec4 u_target_shape;
uniform int u_count; // offsets

layout(location = 0) out uvec4 o_flags;

int offset_at(int i) {
    return int(fetch(u_offsets, texel_in(i >> 2, u_offsets_shape), u_offsets_shape)[i & 3]);
}

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * 32;
    int low = 0, high = u_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (offset_at(middle) < first) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    uint flags = 0u;
    for (; low < u_count; low++) {
        int bit = offset_at(low) - first;
        if (bit >= 32) {
            break;
        }
        flags |= 1u << uint(bit);
    }
    o_flags = uvec4(flags);
}
