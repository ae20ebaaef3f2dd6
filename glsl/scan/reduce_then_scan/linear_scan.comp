// Scan, for linear systems: each tile again, from the state after all tiles before it. The results of a tile of states are
// the states after each.
#include "scan/common/store.glsl"
#include "scan/reduce_then_scan/states.glsl"

layout(local_size_x = GROUP) in;
uniform int u_first; // the number of the first tile in the whole stream

void main() {
    int tile = group_index();
    if (tile >= u_groups) {
        return;
    }
    load_tile(tile);
    Item up_to[CARRIED];
    Item start[CARRIED];
    state_of_lane(up_to);
    scan_lanes(up_to, start);
    sync_group();
    put_before_warps(tile, false, up_to);
    sync_group();
    Item before[CARRIED];
    EACH_CARRIED(i) {
        before[i] = u_first + tile > 0 ? sum_at((u_first + tile - 1) * CARRIED + i) : identity();
    }
    begin_with(before, start);
#if OF_STATES
    Item power[WEIGHTS];
    get_power(OF_RUNS(1), power);
    Item after[CARRIED];
    EACH_CARRIED(i) { after[i] = t_items[i]; }
    add_power(after, power, start);
    EACH_CARRIED(i) { t_items[i] = after[i]; }
#else
    scan_run(start);
#endif
    turn_to_rows();
    put_tile(tile);
}
