// Keys: flags that are set where a key differs from the one before. Keys are equal if their bits are.
#include "common/group.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = KEYS) readonly buffer Keys { uint b_keys[]; };
layout(std430, binding = FLAGS) writeonly buffer Flags { uint b_flags[]; };
uniform int u_len; // keys

uvec2 key_at(int index) {
    uvec2 key = uvec2(b_keys[READ_AT(KEYS, index * WORDS, 1)], 0u);
#if WORDS == 2
    key.y = b_keys[READ_AT(KEYS, index * WORDS + 1, 1)];
#endif
    return key;
}

void main() {
    int first = invocation_index() * 32;
    if (first >= u_len) {
        return;
    }
    uint flags = 0u;
    uvec2 before = uvec2(0u);
    if (first > 0) {
        before = key_at(first - 1);
    }
    for (int i = 0; i < 32; i++) {
        if (first + i < u_len) {
            uvec2 key = key_at(first + i);
            if (first + i == 0 || key != before) {
                flags |= 1u << uint(i);
            }
            before = key;
        }
    }
    b_flags[WRITE_AT(FLAGS, first / 32, 1)] = flags;
}
