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
shared uint s_digits[DIGITS]; // how many keys of a counted tile have each digit; then, how far those of the own one move

int index_of(int tile, int row) {
    return ((tile * WARPS + warp_index()) * ROWS + row) * LANES + lane_index();
}

// Counts the keys of a tile by their digits. To be called by the whole group.
void count_tile(int tile) {
    for (int i = 0; i < EACH; i++) {
        if (own_digit(i) < DIGITS) {
            s_digits[own_digit(i)] = 0u;
        }
    }
    sync_group();
    for (int row = 0; row < ROWS; row++) {
        int index = index_of(tile, row);
        if (index < u_len) {
            atomicAdd(s_digits[digit_at(key_at(index), u_place)], 1u);
        }
    }
    sync_group();
    for (int i = 0; i < EACH; i++) {
        t_counts[i] = own_digit(i) < DIGITS ? s_digits[own_digit(i)] : 0u;
    }
    // The counts of the next tile begin at 0.
    sync_group();
}
