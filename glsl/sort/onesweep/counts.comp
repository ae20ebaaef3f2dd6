// onesweep: how many keys of the stream have each digit, at every place at once.
#include "sort/common/digits.glsl"

#ifdef TEXEL_LOADS
uniform usamplerBuffer u_keys;
uniform int u_keys_first; // the first texel that is bound
#else
layout(std430, binding = KEYS) readonly buffer Keys { uint b_keys[]; };
#endif
layout(std430, binding = COUNTS) buffer Counts { uint b_counts[]; };

uniform int u_len; // keys
uniform int u_rows; // keys that an invocation takes

shared uint s_counts[PLACES * DIGITS];

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    int own = int(gl_LocalInvocationIndex);
    for (int at = own; at < PLACES * DIGITS; at += GROUP) { // at most PLACES * EACH turns
        s_counts[at] = 0u;
    }
    sync_group();
    for (int row = 0; row < u_rows; row++) { // at most u_rows turns
        int index = (group_index() * u_rows + row) * GROUP + own;
        if (index < u_len) {
#ifdef TEXEL_LOADS
            uint key = texelFetch(u_keys, u_keys_first + READ_AT(KEYS, index, 1)).x;
#else
            uint key = b_keys[READ_AT(KEYS, index, 1)];
#endif
            for (int place = 0; place < PLACES; place++) {
                atomicAdd(s_counts[place * DIGITS + int(digit_at(key, place))], 1u);
            }
        }
    }
    sync_group();
    for (int at = own; at < PLACES * DIGITS; at += GROUP) { // at most PLACES * EACH turns
        atomicAdd(b_counts[WRITE_AT(COUNTS, at, 1)], s_counts[at]);
    }
}
