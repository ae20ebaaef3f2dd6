// Counts: the number of segments that begin in each word of flags. The first item begins one.
#include "common/group.glsl"
#include "reduce/segments/heads.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = FLAGS) readonly buffer Flags { uint b_flags[]; };
layout(std430, binding = COUNTS) writeonly buffer Counts { uint b_counts[]; };
uniform int u_len; // items of the stream

void main() {
    int word = invocation_index();
    if (word < (u_len + 31) / 32) {
        uint flags = b_flags[READ_AT(FLAGS, word, 1)];
        b_counts[WRITE_AT(COUNTS, word, 1)] = count_of(heads_of(flags, word, u_len));
    }
}
