// A tile of keys in a work group: ROWS keys an invocation, those of a warp side by side, row by row.
#include "sort/common/digits.glsl"

#ifdef TEXEL_LOADS
uniform usamplerBuffer u_keys;
uniform int u_keys_first; // the first texel that is bound
uint key_at(int index) { return texelFetch(u_keys, u_keys_first + READ_AT(KEYS, index, 1)).x; }
#else
layout(std430, binding = KEYS) readonly buffer Keys { uint b_keys[]; };
uint key_at(int index) { return b_keys[READ_AT(KEYS, index, 1)]; }
#endif

uniform int u_len; // keys
uniform int u_place; // of the digit

const int TILE = GROUP * ROWS;
const int MEMORY = WARPS * DIGITS > TILE ? WARPS * DIGITS : TILE;

shared uint s_memory[MEMORY]; // the counts of each warp, then keys or payloads in their order

int index_of(int tile, int row) {
    return ((tile * WARPS + warp_index()) * ROWS + row) * LANES + lane_index();
}

// The place in shared memory of the count of a digit, for the invocation's warp.
int count_at(uint digit) {
    return warp_index() * DIGITS + int(digit);
}

void clear_counts() {
    for (int at = int(gl_LocalInvocationIndex); at < WARPS * DIGITS; at += GROUP) { // at most EACH * WARPS turns
        s_memory[at] = 0u;
    }
    sync_group();
}

// Adds up the counts of all warps. Those of each become how many keys of earlier warps have the digit.
void sum_warps() {
    for (int i = 0; i < EACH; i++) {
        int digit = own_digit(i);
        uint sum = 0u;
        for (int warp = 0; warp < WARPS && digit < DIGITS; warp++) { // at most WARPS turns
            uint count = s_memory[warp * DIGITS + digit];
            s_memory[warp * DIGITS + digit] = sum;
            sum += count;
        }
        t_counts[i] = sum;
    }
}

// Counts the keys of a tile by their digits.
void count_tile(int tile) {
    clear_counts();
    for (int row = 0; row < ROWS; row++) {
        int index = index_of(tile, row);
        if (index < u_len) {
            int at = count_at(digit_at(key_at(index), u_place));
#if LANES == 1
            s_memory[at]++;
#else
            atomicAdd(s_memory[at], 1u);
#endif
        }
    }
    sync_group();
    sum_warps();
}
