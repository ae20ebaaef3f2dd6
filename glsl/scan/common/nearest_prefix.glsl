// The prefix of a tile from the nearest one that is published, and the sums of all tiles between (merrill2016).
//
// Every tile publishes its sum, and later in the same place its prefix. The lanes of the first warp look at as many
// tiles at a time. Timing decides which prefix is the nearest, and with it the order in which floats are added.
//
// For teaching, a tile withholds its prefix (WITHHOLDS_PREFIX), so that those after it look further back, or also its sum
// (WITHHOLDS_ALL), so that they compute it again.

// Looks back from the tile `end` as far as it can, and combines what it finds in front of `prefix`. Returns the tile
// that is missing, or -1 if none is. To be called by the first warp.
int look_back(int end, inout Sum prefix[TUPLE]) {
    int lane = lane_index();
    while (end >= 0) { // at most IN_FLIGHT / LANES + 2 turns
        Sum sums[TUPLE];
        uint status;
        int stop;
        bool found;
        // Wait until the lanes before the first prefix are complete, or patience ends.
        while (true) { // at most SPINS turns in all
            int tile = end - lane;
            status = PREFIX;
            for (int m = 0; m < TUPLE; m++) {
                sums[m] = no_sum();
                if (tile >= 0) {
                    uint of_member = look_at(tile * TUPLE + m, sums[m]);
                    status = m == 0 || of_member == status ? of_member : NOTHING;
                }
            }
            stop = first_lane(status != AGGREGATE);
            found = stop == LANES || word_at(status, min(stop, LANES - 1)) == PREFIX;
            if (found || t_patience <= 0) {
                break;
            }
            t_patience--;
        }
        // The tiles that count: all before the stop, and the stop if it is a prefix.
        int counted = stop < LANES && found ? stop + 1 : stop;
#ifdef RECORDED
        // The look that counts, not those before it.
        for (int m = 0; m < TUPLE && end - lane >= 0; m++) {
            if (lane < counted) {
                record_state(0u, COMBINED, (end - lane) * TUPLE + m, status, sums[m]);
            } else if (lane == stop) {
                record_state(0u, MISSING, (end - lane) * TUPLE + m, NOTHING, no_sum());
            }
        }
#endif
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

// Whether nothing before a tile, among those that are bound, counts for it.
bool is_first(int tile) {
#ifdef WARP_ROWS
    return (u_first_warp + tile * WARPS) % u_row_warps == 0;
#else
    return u_first + tile == 0;
#endif
}

// Shares the prefix with the group, and publishes what it makes of the tile's sums. To be called by the first warp, of which all
// lanes have the same prefix, and each its own members of s_total.
void give_prefix(int tile, Sum prefix[TUPLE]) {
    for (int m = lane_index(); m < TUPLE; m += LANES) {
        s_prefix[m] = prefix[m];
#ifndef WITHHOLDS_PREFIX
        if (!is_complete(tile)) {
            publish(tile * TUPLE + m, PREFIX, add_sums(prefix[m], s_total[m]));
        }
#endif
    }
}

// Takes the next tile of the part, loads and scans it, and finds its prefix: s_prefix. Returns the tile among those
// that are bound; at least u_groups if there are no more.
int next_tile() {
    int ticket = take_tile();
    if (ticket >= u_groups) {
        return ticket;
    }
    int tile = u_first + ticket;
    int end = is_first(ticket) ? -1 : tile - 1;
    Sum prefix[TUPLE];
    for (int m = 0; m < TUPLE; m++) {
        prefix[m] = no_sum();
    }
    // One round if nothing is missing. Otherwise rounds in which the group computes the missing tiles, and a last one
    // for its own tile again.
    int wanted = tile;
    bool published = false;
    while (true) { // at most IN_FLIGHT + 1 turns
        load_tile(wanted - u_first);
        scan_tile();
        if (warp_index() == 0) {
            for (int m = lane_index(); m < TUPLE; m += LANES) {
                s_total[m] = tile_total(m);
#ifndef WITHHOLDS_ALL
                if (!published) {
                    publish(tile * TUPLE + m, is_complete(tile) ? PREFIX : AGGREGATE, s_total[m]);
                }
#endif
            }
        }
        published = true;
        if (wanted != tile) {
            sync_group();
            for (int m = 0; m < TUPLE; m++) {
                prefix[m] = add_sums(s_total[m], prefix[m]);
            }
            end = is_complete(wanted) ? -1 : wanted - 1;
        }
        int missing = -1;
        if (end >= 0 && warp_index() == 0) {
#if LOOKS_LATE
            // Waits until the tile's sum is in memory. Most earlier sums are by then, too. Earlier polls would delay them.
            memoryBarrierBuffer();
#endif
            missing = look_back(end, prefix);
            if (lane_index() == 0) {
                s_missing = missing;
            }
        }
        // Before the barrier, since later tiles wait for it.
        if (warp_index() == 0 && missing < 0 && wanted == tile) {
            give_prefix(tile, prefix);
        }
        sync_group();
        missing = end >= 0 ? s_missing : -1;
        if (missing < 0 && wanted == tile) {
            break;
        }
        // All have read what is about to be overwritten.
        sync_group();
        end = -1;
        wanted = missing < 0 ? tile : missing;
    }
    return ticket;
}
