// Scatter: items of a stream to their indices, which are unsigned. One past the end of the target is left out.
#include "copy/items_in_buffers.glsl"

layout(std430, binding = INDICES) readonly buffer Indices { uint b_indices[]; };

uniform int u_room; // items of the target

void main() {
    int item = invocation_index();
    if (item >= results()) {
        return;
    }
    uint index = b_indices[READ_AT(INDICES, item, 1)];
    if (index < uint(u_room)) {
        for (int i = 0; i < WORDS; i++) {
            uint word = b_stream[READ_AT(STREAM, item * WORDS + i, 1)];
            b_target[WRITE_AT(TARGET, int(index) * WORDS + i, 1)] = word;
        }
    }
}
