// A copy, four words at a time: the yardstick of everything that reads and writes all of a buffer.
#include "common/source.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = TARGET) writeonly buffer Target { uvec4 b_target[]; };
uniform int u_vectors;

void main() {
    int first = group_index() * GROUP * ROWS + int(gl_LocalInvocationIndex);
    for (int row = 0; row < ROWS; row++) {
        int at = first + row * GROUP;
        if (at < u_vectors) {
            b_target[at] = load_at(at);
        }
    }
}
