// A warp is a subgroup: lanes read each other's registers.

int lane_index() { return int(gl_SubgroupInvocationID); }
int warp_index() { return int(gl_SubgroupID); }

#define WORD_UP(word, distance) subgroupShuffleUp(word, uint(distance))
#define WORD_DOWN(word, distance) subgroupShuffleDown(word, uint(distance))
uint word_at(uint word, int lane) { return subgroupShuffle(word, uint(lane)); }
#include "common/lanes/words.glsl"

// The first lane where it holds; LANES if there is none.
int first_lane(bool holds) {
    uvec4 where = subgroupBallot(holds);
    return subgroupBallotBitCount(where) == 0u ? LANES : int(subgroupBallotFindLSB(where));
}

// The last lane up to this one where it holds; -1 if there is none.
int last_lane(bool holds) {
    uvec4 where = subgroupBallot(holds) & gl_SubgroupLeMask;
    return where == uvec4(0u) ? -1 : int(subgroupBallotFindMSB(where));
}

// The number of lanes where it holds, and the number of them before this one.
int lanes_where(bool holds) { return int(subgroupBallotBitCount(subgroupBallot(holds))); }
int lanes_before_where(bool holds) { return int(subgroupBallotExclusiveBitCount(subgroupBallot(holds))); }

// The lanes whose words have the same lowest bits: how many they are, how many of them are before this one, and the first.
ivec3 lanes_alike(uint word, int bits) {
#if LANES > 32
    uvec4 alike = subgroupBallot(true);
    for (int bit = 0; bit < bits; bit++) { // at most 32 turns
        bool is_set = (word >> uint(bit) & 1u) != 0u;
        uvec4 set = subgroupBallot(is_set);
        alike &= is_set ? set : ~set;
    }
    int before = int(subgroupBallotBitCount(alike & gl_SubgroupLtMask));
    return ivec3(int(subgroupBallotBitCount(alike)), before, int(subgroupBallotFindLSB(alike)));
#else
    uint alike = subgroupBallot(true).x;
    for (int bit = 0; bit < bits; bit++) { // at most 32 turns
        bool is_set = (word >> uint(bit) & 1u) != 0u;
        uint set = subgroupBallot(is_set).x;
        alike &= is_set ? set : ~set;
    }
    return ivec3(bitCount(alike), bitCount(alike & gl_SubgroupLtMask.x), findLSB(alike));
#endif
}
