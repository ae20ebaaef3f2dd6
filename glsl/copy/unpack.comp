// Unpack: integers of BITS bits, several to a word, the first one in the lowest bits.
#include "common/group.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = WORDS) readonly buffer Words { uint b_words[]; };
layout(std430, binding = TARGET) writeonly buffer Target { uint b_target[]; };

uniform int u_len;

void main() {
    int item = invocation_index();
    if (item < u_len) {
        uint word = b_words[READ_AT(WORDS, item / (32 / BITS), 1)];
        b_target[WRITE_AT(TARGET, item, 1)] = word >> uint(item % (32 / BITS) * BITS) & ((1u << BITS) - 1u);
    }
}
