// Join: the first items of a stream, as many as the count says, then those of a second one.
#include "copy/items_in_buffers.glsl"

layout(std430, binding = SECOND) readonly buffer Second { uint b_second[]; };

void main() {
    int place = invocation_index(), count = results();
    if (place >= u_len) {
        return;
    }
    for (int i = 0; i < WORDS; i++) {
        uint word;
        if (place < count) {
            word = b_stream[READ_AT(STREAM, place * WORDS + i, 1)];
        } else {
            word = b_second[READ_AT(SECOND, (place - count) * WORDS + i, 1)];
        }
        b_target[WRITE_AT(TARGET, place * WORDS + i, 1)] = word;
    }
}
