// Reduce, for linear systems: the state that each tile makes of zeros.
#include "scan/common/tile.glsl"
#include "scan/reduce_then_scan/states.glsl"

layout(local_size_x = GROUP) in;
uniform int u_first; // the number of the first tile in the whole stream

void main() {
    int tile = group_index();
    if (tile >= u_groups) {
        return;
    }
    int invocation = int(gl_LocalInvocationIndex);
    load_tile(tile);
    Item state[CARRIED];
    state_of_lane(state);
    // Moved on to the end of the tile, states only add up.
    Item power[WEIGHTS];
    get_power(OF_RUNS(GROUP - 1 - invocation), power);
    Item sum[CARRIED];
    EACH_CARRIED(i) { sum[i] = identity(); }
    add_power(sum, power, state);
    EACH_CARRIED(i) { sum[i] = sum_of_lanes(sum[i], 1, LANES); }
    if (lane_index() == 0) {
        EACH_CARRIED(i) { s_warps[warp_index() * CARRIED + i] = sum[i]; }
    }
    sync_group();
    for (int i = invocation; i < CARRIED; i += GROUP) {
        Item total = s_warps[i];
        for (int warp = 1; warp < WARPS; warp++) {
            total = combine(total, s_warps[warp * CARRIED + i]);
        }
        put_sum((u_first + tile) * CARRIED + i, total);
    }
}
