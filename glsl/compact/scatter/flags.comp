// Flags: 1 for each kept element, in the order of the stream.
#include "compact/common/buffers.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = FLAGS) writeonly buffer Flags { uint b_flags[]; };

void main() {
    int row = invocation_index();
    if (row * VECTOR >= u_len) {
        return;
    }
    uint kept = kept_in(row_at(row), row);
    for (int i = 0; i < VECTOR; i++) {
        if (row * VECTOR + i < u_len) {
            b_flags[WRITE_AT(FLAGS, row * VECTOR + i, 1)] = kept >> i & 1u;
        }
    }
}
