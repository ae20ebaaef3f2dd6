// An exchange for each order: the sums of one order are needed before those of the next are known.

// How the sums of chunks are combined: begin_fold(), fold() for each batch, a chunk for each invocation, and end_fold(). All
// to be called by the whole group. A batch is told whether it is the first, and how many chunks are left with it.
#if IN_ORDER
// One after the other: sums of floats depend on the order of combination, and this is the one order that does not depend on
// which group waited for which.
shared Item s_sums[GROUP];
shared Item s_sum[TUPLE];

void begin_fold(int order) {
    for (int m = int(gl_LocalInvocationIndex); m < TUPLE; m += GROUP) {
        s_sum[m] = s_carry[order * TUPLE + m];
    }
}

void fold(Item sums[TUPLE], int chunks, bool first) {
    for (int m = 0; m < TUPLE; m++) {
        s_sums[gl_LocalInvocationIndex] = sums[m];
        sync_group();
        if (gl_LocalInvocationIndex == 0u) {
            Item sum = s_sum[m];
            for (int i = 0; i < min(chunks, GROUP); i++) { // at most 2 * u_chunks * ORDER turns in all
                sum = combine(sum, s_sums[i]);
            }
            s_sum[m] = sum;
        }
        sync_group();
    }
}

void end_fold() {
    sync_group();
}
#else
shared Item s_fold[WARPS * TUPLE];
Item t_folded[TUPLE];

void begin_fold(int order) {
    for (int m = 0; m < TUPLE; m++) {
        t_folded[m] = identity();
    }
}

// A sum for each warp.
void put_folded(int m) {
    if (lane_index() == 0) {
        s_fold[warp_index() * TUPLE + m] = t_folded[m];
    }
}

void fold(Item sums[TUPLE], int chunks, bool first) {
    for (int m = 0; m < TUPLE; m++) {
#if COMMUTES
        // In any order: so lanes are combined once, at the end.
        t_folded[m] = combine(t_folded[m], sums[m]);
#else
        Item sum = sum_of_lanes(sums[m], 1, LANES);
        if (!first) {
            // The batch before, of all warps, comes first.
            put_folded(m);
            sync_group();
            Item before = s_fold[m];
            for (int warp = 1; warp < WARPS; warp++) {
                before = combine(before, s_fold[warp * TUPLE + m]);
            }
            sum = warp_index() == 0 ? combine(before, sum) : sum;
            sync_group();
        }
        t_folded[m] = sum;
#endif
    }
}

void end_fold() {
    for (int m = 0; m < TUPLE; m++) {
#if COMMUTES
        t_folded[m] = sum_of_lanes(t_folded[m], 1, LANES);
#endif
        put_folded(m);
    }
    sync_group();
}
#endif

// Reads the sums of the chunks from `from` to before `to`, and shares them. Returns whether all of them were there. To
// be called by the whole group.
bool gather(int from, int to, int order) {
    t_exchange++;
    begin_fold(order);
    // A group that is behind may have more chunks to poll than invocations.
    for (int batch = from; batch < to; batch += GROUP) { // at most 2 * u_chunks * ORDER turns in all
        int chunk = batch + int(gl_LocalInvocationIndex);
        Item sums[TUPLE];
        for (int m = 0; m < TUPLE; m++) {
            sums[m] = identity();
        }
        if (chunk < to) {
            gather_sums(chunk, order, sums);
        }
        fold(sums, to - batch, batch == from);
    }
    end_fold();
    return s_missing != t_exchange;
}

// The sum before the chunk, once it is gathered.
Item before_chunk(int order, int member) {
#if IN_ORDER
    return s_sum[member];
#else
    Item before = s_carry[order * TUPLE + member];
    for (int warp = 0; warp < WARPS; warp++) {
        before = combine(before, s_fold[warp * TUPLE + member]);
    }
    return before;
#endif
}

// Scans a loaded chunk, in all orders. Chunks from `from` on are not in s_carry. Returns whether all sums between them
// and the chunk were there.
bool scan_chunk(int chunk, int from, bool publishes) {
    int invocation = int(gl_LocalInvocationIndex);
    for (int order = 0; order < ORDER; order++) {
        scan_tile();
        for (int m = invocation; m < TUPLE; m += GROUP) {
            Item total = tile_total(m);
            s_behind[order * TUPLE + m] = total;
#ifndef WITHHOLDS_ALL
            if (publishes) {
                publish(place_in_ring(chunk, order, m), round_of(chunk), total);
            }
#endif
        }
        if (!gather(from, chunk, order)) {
            return false;
        }
        Item before[MEMBERS];
        for (int m = 0; m < MEMBERS; m++) {
            before[m] = before_chunk(order, member_of(m));
        }
        complete_tile(before, EXCLUSIVE != 0 && order == ORDER - 1);
        for (int m = invocation; m < TUPLE; m += GROUP) {
            s_behind[order * TUPLE + m] = combine(before_chunk(order, m), s_behind[order * TUPLE + m]);
        }
    }
    return true;
}
