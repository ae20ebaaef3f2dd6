// Flags: the words whose bits are set at ascending offsets. Each word finds its first offset by bisection.
#include "common/group.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = OFFSETS) readonly buffer Offsets { uint b_offsets[]; };
layout(std430, binding = FLAGS) writeonly buffer Flags { uint b_flags[]; };
uniform int u_offsets; // their number
uniform int u_words;

uint offset_at(int i) {
    return b_offsets[READ_AT(OFFSETS, i, 1)];
}

// The first offset, from number `low` on, that is at least `item`.
int first_from(int low, uint item) {
    int high = u_offsets;
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
    int word = invocation_index();
    if (word >= u_words) {
        return;
    }
    uint first = uint(word) * 32u;
    uint flags = 0u;
    int i = first_from(0, first);
    while (i < u_offsets) { // at most 65 turns
        uint bit = offset_at(i) - first;
        if (bit >= 32u) {
            break;
        }
        uint flag = 1u << bit;
        // An offset may repeat any number of times: its copies are passed over by a search.
        i = (flags & flag) == 0u ? i + 1 : first_from(i + 1, first + bit + 1u);
        flags |= flag;
    }
    b_flags[WRITE_AT(FLAGS, word, 1)] = flags;
}
