// Take: items of a stream by their indices, which are unsigned. One beyond the end takes the last item.
#include "copy/items_in_buffers.glsl"

layout(std430, binding = INDICES) readonly buffer Indices { uint b_indices[]; };

uniform int u_items; // items of the stream; its buffer may be longer

void main() {
    int place = invocation_index();
    if (place >= results()) {
        return;
    }
    int index = int(min(b_indices[READ_AT(INDICES, place, 1)], uint(u_items - 1)));
    for (int i = 0; i < WORDS; i++) {
        b_target[WRITE_AT(TARGET, place * WORDS + i, 1)] = b_stream[READ_AT(STREAM, index * WORDS + i, 1)];
    }
}
