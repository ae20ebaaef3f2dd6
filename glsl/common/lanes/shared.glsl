// A warp of the whole work group: lanes exchange values in shared memory. The whole group must call these together.
#include "common/group.glsl"

shared Sum s_lanes[GROUP];
shared uint s_words[GROUP];
shared int s_first;

int lane_index() { return int(gl_LocalInvocationIndex); }
int warp_index() { return 0; }

// The sum of the given lane; undefined if there is none.
Sum lane_at(Sum sum, int lane) {
    int own = int(gl_LocalInvocationIndex), other = clamp(lane, 0, GROUP - 1);
    s_lanes[own] = SHARED_WRITE(ARRAY_LANES, own, sum);
    sync_group();
    Sum there = SHARED_READ(ARRAY_LANES, other, s_lanes[other]);
    sync_group();
    return there;
}

Sum lane_up(Sum sum, int distance) { return lane_at(sum, lane_index() - distance); }
Sum lane_down(Sum sum, int distance) { return lane_at(sum, lane_index() + distance); }

uint word_at(uint word, int lane) {
    s_words[gl_LocalInvocationIndex] = word;
    sync_group();
    uint there = s_words[clamp(lane, 0, GROUP - 1)];
    sync_group();
    return there;
}

// The first lane where it holds; LANES if there is none.
int first_lane(bool holds) {
    if (lane_index() == 0) {
        s_first = LANES;
    }
    sync_group();
    if (holds) {
        atomicMin(s_first, lane_index());
    }
    sync_group();
    int first = s_first;
    sync_group();
    return first;
}

// The last lane up to this one where it holds; -1 if there is none.
int last_lane(bool holds) {
    int last = holds ? lane_index() : -1;
    for (int distance = 1; distance < LANES; distance *= 2) {
        int left = int(word_at(uint(last), lane_index() - distance));
        last = lane_index() >= distance ? max(left, last) : last;
    }
    return last;
}
