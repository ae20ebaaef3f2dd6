// Put: the first items of a stream into another one, from its item `base` on. The rest of it stays as it was.
#include "copy/items_in_buffers.glsl"

layout(std430, binding = BASE) readonly buffer Base { uint b_base[]; };

uniform int u_room; // items of the target

void main() {
    int item = invocation_index();
    if (item >= results()) {
        return;
    }
    uint base = min(b_base[READ_AT(BASE, 0, 1)], uint(u_room));
    if (item >= u_room - int(base)) {
        return;
    }
    for (int i = 0; i < WORDS; i++) {
        int to = (int(base) + item) * WORDS + i;
        b_target[WRITE_AT(TARGET, to, 1)] = b_stream[READ_AT(STREAM, item * WORDS + i, 1)];
    }
}
