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

// The first offset, from number `low` on, that is at least `item`.
int first_from(int low, int item) {
    int high = u_count;
    while (low < high) { // at most 31 turns
        int middle = (low + high) / 2;
        if (offset_at(middle) < item) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * 32;
    uint flags = 0u;
    int i = first_from(0, first);
    while (i < u_count) { // at most 65 turns
        int bit = offset_at(i) - first;
        if (bit >= 32) {
            break;
        }
        uint flag = 1u << uint(bit);
        // An offset may repeat any number of times: its copies are passed over by a search.
        i = (flags & flag) == 0u ? i + 1 : first_from(i + 1, first + bit + 1);
        flags |= flag;
    }
    o_flags = uvec4(flags);
}
