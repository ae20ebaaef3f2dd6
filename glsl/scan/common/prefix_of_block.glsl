// The prefix of a tile from that of a certain tile before it, and the sums of all tiles between.
//
// Tiles form blocks of BLOCK. Every tile publishes its sum, and the last one of a block later its prefix, in a place of
// its own. A tile needs the sums of those before it in its block and in the block before that, and in front of them the
// prefix of the block before those two, which is nearly always there by then. Each invocation looks at one state.
//
// So the same sums are added in the same order in every run, whichever group is late: floats have the same bits.

const int NONE = GROUP;

shared Sum s_found[WARPS * TUPLE]; // the sums of what the lanes of each warp have found

uniform int u_prefixes; // the number of the first block's prefix

// The sums that the invocation has found, if it has.
Sum t_found[TUPLE];
bool t_has;

void forget() {
    for (int m = 0; m < TUPLE; m++) {
        t_found[m] = no_sum();
    }
    t_has = false;
}

// The place of an invocation in the order of the states that it looks at with the others: the first one has a prefix.
int place_in_group() { return warp_index() * LANES + lane_index(); }

// The tile whose state is at a place, for the tile that needs it.
int tile_at(int place, int needing) { return (needing / BLOCK - 1) * BLOCK - 1 + place; }

// The number of the state that it has there.
int number_at(int place, int needing) { return place == 0 ? u_prefixes + needing / BLOCK - 2 : tile_at(place, needing); }

// The first tile whose sum counts for a tile.
int first_for(int tile) {
#ifdef WARP_ROWS
    // That in which the row begins that reaches into the tile.
    int piece = tile * WARPS;
    return (piece - piece % u_row_warps) / WARPS;
#else
    return 0;
#endif
}

// Looks at a state. Returns whether it is there.
bool sees(int number, uint wanted) {
    bool all = true;
    for (int m = 0; m < TUPLE; m++) {
        all = look_at(number * TUPLE + m, t_found[m]) == wanted && all;
    }
    return all;
}

// Looks at the states that a tile needs, this invocation at one of them, unless it has it. Notes the first that does not
// come (s_missing). The sums are shared once the group has synchronised.
void look_for(int needing, int patience) {
    int place = place_in_group();
    int tile = tile_at(place, needing);
    bool counts = tile >= first_for(needing) && tile < needing;
    if (counts && !t_has) {
        int number = number_at(place, needing);
        uint wanted = place == 0 ? PREFIX : AGGREGATE;
        for (int spins = 0; spins < patience && !t_has; spins++) { // at most SPINS turns in all
            t_has = sees(number, wanted);
        }
        if (LOOKS_AGAIN != 0 || !t_has) {
            t_has = sees(number, wanted);
        }
        if (!t_has) {
            atomicMin(s_missing, place);
        }
#ifdef RECORDED
        for (int m = 0; t_has && m < TUPLE; m++) {
            record_state(0u, COMBINED, number * TUPLE + m, wanted, t_found[m]);
        }
#endif
    }
    for (int m = 0; m < TUPLE; m++) {
        Sum sum = no_sum();
        if (counts && t_has) {
            sum = t_found[m];
        }
        sum = sum_of_lanes(sum, 1, LANES);
        if (lane_index() == 0) {
            s_found[warp_index() * TUPLE + m] = sum;
        }
    }
}

// The sum of all that was found.
Sum sum_found(int member) {
    Sum sum = s_found[member];
    for (int warp = 1; warp < WARPS; warp++) {
        sum = add_sums(sum, s_found[warp * TUPLE + member]);
    }
    return sum;
}

// The prefix of the loaded tile, if all was found that it needs.
Sum prefix_of(int tile, int member) {
    Sum total = tile_total(member);
    if (is_complete(tile)) {
        return total;
    }
    return add_sums(sum_found(member), total);
}

// Helps where the state at the place `missing` is missing for the tile `needing`: computes it, or goes back to the tile
// that has it as its prefix. If none is missing, computes the prefix of this tile, which ends a block. Returns the tile
// whose needs come next, on the way to `tile`. To be called by the whole group.
int help(int missing, int needing, int tile) {
    int place = place_in_group();
#ifdef RECORDED
    for (int m = 0; place == missing && m < TUPLE; m++) {
        record_state(0u, MISSING, number_at(place, needing) * TUPLE + m, NOTHING, no_sum());
    }
#endif
    if (missing == 0) {
        forget();
        return tile_at(0, needing);
    }
    int computed = missing == NONE ? needing : tile_at(missing, needing);
    load_tile(computed - u_first);
    scan_tile();
    if (missing != NONE) {
        for (int m = 0; place == missing && m < TUPLE; m++) {
            t_found[m] = tile_total(m);
            t_has = true;
        }
        return needing;
    }
    forget();
    for (int m = 0; place == 0 && m < TUPLE; m++) {
        t_found[m] = prefix_of(needing, m);
        t_has = true;
    }
    return needing / BLOCK + 2 == tile / BLOCK ? tile : needing + 2 * BLOCK;
}

// Takes the next tile of the part, loads and scans it, and finds its prefix: s_prefix. Returns the tile among those
// that are bound; at least u_groups if there are no more.
int next_tile() {
    int invocation = int(gl_LocalInvocationIndex);
    if (invocation == 0) {
        s_missing = NONE;
    }
    int ticket = take_tile();
    if (ticket >= u_groups) {
        return ticket;
    }
    int tile = u_first + ticket;
    load_tile(ticket);
    scan_tile(); // passes a barrier, so that all know s_missing
    for (int m = invocation; m < TUPLE; m += GROUP) {
        publish(tile * TUPLE + m, AGGREGATE, tile_total(m));
    }
    forget();
    int needing = tile;
    bool helped = false;
    while (true) { // at most 2 * IN_FLIGHT turns
        look_for(needing, helped ? 0 : SPINS);
        sync_group();
        int missing = s_missing;
        if (missing == NONE && needing == tile) {
            break;
        }
        needing = help(missing, needing, tile);
        helped = true;
        // All have read what is about to be overwritten.
        sync_group();
        if (invocation == 0) {
            s_missing = NONE;
        }
        sync_group();
    }
    if (helped) {
        load_tile(ticket);
        scan_tile();
    }
    for (int m = invocation; m < TUPLE; m += GROUP) {
        s_prefix[m] = sum_found(m);
        s_total[m] = tile_total(m);
        if (tile % BLOCK == BLOCK - 1) {
            publish((u_prefixes + tile / BLOCK) * TUPLE + m, PREFIX, prefix_of(tile, m));
        }
    }
    sync_group();
    return ticket;
}
