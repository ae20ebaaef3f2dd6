// Flags: the words whose bits are set at ascending offsets. Each texel finds its first offset by bisection.
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
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * 128;
    int low = 0, high = u_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (offset_at(middle) < first) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    uvec4 flags = uvec4(0u);
    for (; low < u_count; low++) {
        int bit = offset_at(low) - first;
        if (bit >= 128) {
            break;
        }
        flags[bit >> 5] |= 1u << uint(bit & 31);
    }
    o_flags = flags;
}
