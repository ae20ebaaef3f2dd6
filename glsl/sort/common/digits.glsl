// The digits of keys, of WIDTH bits each, and how many keys have lower ones. Each invocation has EACH digits.
#include "common/group.glsl"
#include "common/sums/counts.glsl"
#include <lanes>

// Loops over arrays that are not unrolled keep them in memory: NVIDIA unrolls none of more than a few lines by itself.
#pragma optionNV(unroll all)

layout(local_size_x = GROUP) in;

const int DIGITS = 1 << WIDTH; // values of a digit
const int WARPS = GROUP / LANES;
const int EACH = (DIGITS + GROUP - 1) / GROUP;

uniform ivec2 u_bits; // the lowest bit of a key that counts, and the one past the highest

uint t_counts[EACH]; // how many keys have each of the invocation's digits
uint t_begins[EACH]; // how many have lower digits
shared uint s_totals[WARPS];

// The digit of a key at a place: 0 is that of the lowest bits. The bits past the highest are left out.
uint digit_at(uint key, int place) {
    int first = u_bits.x + place * WIDTH;
    return key >> uint(first) & (1u << uint(min(WIDTH, u_bits.y - first))) - 1u;
}

// Digit number `i` of the invocation's: at least DIGITS if there are no more.
int own_digit(int i) {
    return int(gl_LocalInvocationIndex) * EACH + i;
}

// Scans the counts of all digits. To be called by the whole group.
void begin_digits() {
    uint own = 0u;
    for (int i = 0; i < EACH; i++) {
        own += t_counts[i];
    }
    uint sum = own;
    for (int distance = 1; distance < LANES; distance *= 2) {
        uint left = lane_up(sum, distance);
        if (lane_index() >= distance) {
            sum += left;
        }
    }
    if (lane_index() == LANES - 1) {
        s_totals[warp_index()] = sum;
    }
    sync_group();
    uint begin = sum - own;
    for (int warp = 0; warp < warp_index(); warp++) { // at most WARPS turns
        begin += s_totals[warp];
    }
    for (int i = 0; i < EACH; i++) {
        t_begins[i] = begin;
        begin += t_counts[i];
    }
}
