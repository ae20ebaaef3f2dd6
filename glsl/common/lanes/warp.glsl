// A warp on NVIDIA, by the extensions that preceded subgroups.

int lane_index() { return int(gl_LocalInvocationIndex) % LANES; }
int warp_index() { return int(gl_LocalInvocationIndex) / LANES; }

#define WORD_UP(word, distance) shuffleUpNV(word, uint(distance), uint(LANES))
#define WORD_DOWN(word, distance) shuffleDownNV(word, uint(distance), uint(LANES))
uint word_at(uint word, int lane) { return shuffleNV(word, uint(lane), uint(LANES)); }
#include "common/lanes/words.glsl"

// The first lane where it holds; LANES if there is none.
int first_lane(bool holds) {
    uint where = ballotThreadNV(holds);
    return where == 0u ? LANES : findLSB(where);
}

// The last lane up to this one where it holds; -1 if there is none.
int last_lane(bool holds) {
    return findMSB(ballotThreadNV(holds) & ((2u << lane_index()) - 1u));
}

// The number of lanes where it holds, and the number of them before this one.
int lanes_where(bool holds) { return bitCount(ballotThreadNV(holds)); }
int lanes_before_where(bool holds) { return bitCount(ballotThreadNV(holds) & ((1u << lane_index()) - 1u)); }

// The lanes whose words have the same lowest bits: how many they are, how many of them are before this one, and the first.
ivec3 lanes_alike(uint word, int bits) {
    uint alike = ballotThreadNV(true);
    for (int bit = 0; bit < bits; bit++) { // at most 32 turns
        bool is_set = (word >> uint(bit) & 1u) != 0u;
        uint set = ballotThreadNV(is_set);
        alike &= is_set ? set : ~set;
    }
    return ivec3(bitCount(alike), bitCount(alike & ((1u << lane_index()) - 1u)), findLSB(alike));
}
