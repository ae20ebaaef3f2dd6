// Look-back: what stands before a tile, from what the tiles before it have published, the nearest first.
//
// The lanes of the first warp look at as many tiles at a time. They wait a while for what is not there yet, but
// not for ever: whoever should publish it may not be running. Then somebody must compute it anew.
#include "scan/common/states.glsl"

// Looks back from the tile `end` over all that it can, and adds it in front of `prefix`. Returns the tile that
// is missing, or -1 when nothing is. To be called by the first warp.
int look_back(int end, inout Sum prefix[TUPLE]) {
    int lane = lane_index();
    while (end >= 0) {
        Sum sums[TUPLE];
        uint status;
        int stop;
        bool found;
        // Wait until the lanes before the first prefix are complete.
        for (int spins = 0; ; spins++) {
            int tile = end - lane;
            status = PREFIX;
            for (int m = 0; m < TUPLE; m++) {
                sums[m] = no_sum();
                if (tile >= 0) {
                    uint of_member = look_at(tile, m, sums[m]);
                    status = m == 0 || of_member == status ? of_member : NOTHING;
                }
            }
            stop = first_lane(status != AGGREGATE);
            found = stop == LANES || word_at(status, min(stop, LANES - 1)) == PREFIX;
            if (found || spins >= SPINS) {
                break;
            }
        }
        // Those that count: all before the stop, and the stop if it is a prefix.
        int counted = stop < LANES && found ? stop + 1 : stop;
        for (int m = 0; m < TUPLE; m++) {
            Sum sum = sums[m];
            if (lane >= counted) {
                sum = no_sum();
            }
            for (int distance = 1; distance < LANES; distance *= 2) {
                Sum earlier = lane_down(sum, distance);
                if (lane + distance < LANES) {
                    sum = add_sums(earlier, sum);
                }
            }
            prefix[m] = add_sums(lane_at(sum, 0), prefix[m]);
        }
        if (stop < LANES) {
            return found ? -1 : end - stop;
        }
        end -= LANES;
    }
    return -1;
}
