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

void main() {
    int word = invocation_index();
    if (word >= u_words) {
        return;
    }
    uint first = uint(word) * 32u;
    int low = 0, high = u_offsets;
    while (low < high) {
        int middle = (low + high) / 2;
        if (offset_at(middle) < first) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    uint flags = 0u;
    for (; low < u_offsets && offset_at(low) - first < 32u; low++) {
        flags |= 1u << (offset_at(low) - first);
    }
    b_flags[WRITE_AT(FLAGS, word, 1)] = flags;
}
