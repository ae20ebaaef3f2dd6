// The self-test of lanes: each records at its own index whether it and its warp are as expected.
#include "common/sums/counts.glsl"
#include <lanes>

layout(local_size_x = GROUP) in;
layout(std430, binding = SEEN) buffer Seen { uint b_seen[]; };

void main() {
    int lane = lane_index();
    int place = warp_index() * LANES + lane;
    uint own = uint(place) * 3u + 1u;
    bool right = lane >= 0 && lane < LANES && place < GROUP;
    uint left = lane_up(own, 1);
    right = right && (lane == 0 || left == own - 3u);
    uint next = lane_down(own, 1);
    right = right && (lane == LANES - 1 || next == own + 3u);
    right = right && lane_at(own, LANES - 1) == uint((warp_index() + 1) * LANES - 1) * 3u + 1u;
    right = right && first_lane(lane >= LANES / 2) == LANES / 2;
    right = right && first_lane(false) == LANES;
    right = right && last_lane(lane % 4 == 1) == (lane < 1 ? -1 : (lane - 1) / 4 * 4 + 1);
    right = right && lanes_where(true) == LANES;
    right = right && lanes_before_where(lane % 2 == 0) == (lane + 1) / 2;
    if (place >= 0 && place < GROUP) {
        b_seen[place] = right ? own : 0u;
    }
}
