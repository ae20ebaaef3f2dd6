// Heads: the index of the first item of each segment. Each finds its word by bisection.
#include "common/group.glsl"
#include "reduce/segments/heads.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = FLAGS) readonly buffer Flags { uint b_flags[]; };
layout(std430, binding = COUNTS) readonly buffer Counts { uint b_counts[]; };
layout(std430, binding = COUNT) readonly buffer Count { uint b_count[]; };
layout(std430, binding = HEADS) writeonly buffer Heads { uint b_heads[]; };
uniform int u_len; // items of the stream

uint count_at(int word) {
    return b_counts[READ_AT(COUNTS, word, 1)];
}

void main() {
    int place = invocation_index();
    uint number = uint(place);
    if (number >= b_count[READ_AT(COUNT, 0, 1)]) {
        return;
    }
    int low = 0, high = (u_len + 31) / 32 - 1;
    while (low < high) { // at most 25 turns
        int middle = (low + high) / 2;
        if (count_at(middle) <= number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    uint before = 0u;
    if (low > 0) {
        before = count_at(low - 1);
    }
    uint heads = heads_of(b_flags[READ_AT(FLAGS, low, 1)], low, u_len);
    b_heads[WRITE_AT(HEADS, place, 1)] = uint(low * 32 + position_of(heads, number - before));
}
