// One exchange for all orders of a sum, and for linear recurrences: chunks publish the state that they make of zeros.

// Publishes the state that the chunk makes of zeros.
void publish_state(int chunk, Item state[CARRIED]) {
#ifndef WITHHOLDS_ALL
    for (int i = 0; i < CARRIED; i++) {
        publish(place_in_ring(chunk, 0, i), round_of(chunk), state[i]);
    }
#endif
}

#include "scan/common/linear.glsl"

// The states that each warp has gathered from other chunks, and the state before the chunk.
shared Item s_fold[WARPS * CARRIED];
shared Item s_start[CARRIED];

// Finds the state before the chunk `to`, as a sum over s_fold: from s_carry, the state before `from`, and from those that
// the chunks between them publish. To be called by the whole group, which then synchronises.
//
// The chunks lie on the invocations so that the last invocation has the last one: then the power for an invocation is
// always the same. The carry is the chunk in front of `from`.
void gather(int from, int to) {
    int invocation = int(gl_LocalInvocationIndex);
    t_exchange++;
    int batches = (to - from) / GROUP + 1;
    Item folded[CARRIED];
    EACH_CARRIED(i) { folded[i] = identity(); }
    for (int batch = 0; batch < batches; batch++) { // at most 2 * u_chunks turns in all
        int chunk = to - (batches - batch) * GROUP + invocation;
        if (batch > 0) {
            Item power[WEIGHTS];
            get_power(OF_TILES(GROUP), power);
            Item earlier[CARRIED] = folded;
            EACH_CARRIED(i) { folded[i] = identity(); }
            add_power(folded, power, earlier);
        }
        if (chunk < from - 1) {
            continue;
        }
        Item sums[CARRIED];
        if (chunk == from - 1) {
            EACH_CARRIED(i) { sums[i] = s_carry[i]; }
        } else {
            gather_sums(chunk, 0, sums);
        }
        Item power[WEIGHTS];
        get_power(OF_TILES(GROUP - 1 - invocation), power);
        add_power(folded, power, sums);
    }
    // Powers are applied: what is left is a sum over lanes, and then over warps. Most warps have no chunk.
    if (batches > 1 || to - GROUP + (warp_index() + 1) * LANES >= from) {
        EACH_CARRIED(i) { folded[i] = sum_of_lanes(folded[i], 1, LANES); }
    }
    if (lane_index() == 0) {
        EACH_CARRIED(i) { s_fold[warp_index() * CARRIED + i] = folded[i]; }
    }
}

// Scans a loaded chunk. Chunks from `from` on are not in s_carry. Returns whether all sums between them and the chunk
// were there.
bool scan_chunk(int chunk, int from, bool publishes) {
    int invocation = int(gl_LocalInvocationIndex);
#if RECURS
    load_coefficients();
#endif
    Item up_to[CARRIED];
    Item start[CARRIED];
    sum_run(up_to);
    scan_lanes(up_to, start);
    sync_group();
    put_before_warps(chunk, publishes, up_to);
    gather(from, chunk);
    sync_group();
    if (s_missing == t_exchange) {
        return false;
    }
    for (int i = invocation; i < CARRIED; i += GROUP) {
        Item sum = s_fold[i];
        for (int warp = 1; warp < WARPS; warp++) {
            sum = combine(sum, s_fold[warp * CARRIED + i]);
        }
        s_start[i] = sum;
    }
    sync_group();
    Item before[CARRIED];
    EACH_CARRIED(i) { before[i] = s_start[i]; }
    begin_with(before, start);
    scan_run(start);
    if (invocation == GROUP - 1) {
        EACH_CARRIED(i) { s_behind[i] = start[i]; }
    }
    turn_to_rows();
    return true;
}
