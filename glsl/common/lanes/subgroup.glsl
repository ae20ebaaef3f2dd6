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
