// Zeros, before a pass that writes some items: an invocation for each word.
#include "common/group.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = TARGET) writeonly buffer Target { uint b_target[]; };

uniform int u_words;

void main() {
    int word = invocation_index();
    if (word < u_words) {
        b_target[WRITE_AT(TARGET, word, 1)] = 0u;
    }
}
