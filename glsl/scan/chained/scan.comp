// maleki2016: the chained scan. Each tile waits for the prefix of the tile before it, and publishes its own.
#include "scan/common/store.glsl"
#include "scan/common/states.glsl"

layout(local_size_x = GROUP) in;

uniform int u_part; // the index of the bound part of the stream
uniform int u_first; // the number of its first tile in the whole stream

#define PREFIX (uint(u_run) << 2 | 1u) // the sums of the tile and of all before it

shared int s_ticket;
shared int s_known;
shared Item s_total[TUPLE]; // of the tile
shared Item s_prefix[TUPLE]; // of all tiles up to s_known

// Returns true if a tile has published its prefix, which then is in s_prefix. Before the first tile it is the identity.
bool has_prefix(int tile) {
    bool all = true;
    for (int m = 0; m < TUPLE; m++) {
        Sum sum = no_sum();
        all = (tile < 0 || look_at(tile * TUPLE + m, sum) == PREFIX) && all;
        s_prefix[m] = sum;
    }
    return all;
}

// Waits for the prefix of the tile before; if it does not come, goes back to the last one that has. Returns the tile
// that has it.
int wait_for(int tile) {
    for (int spins = 0; spins <= SPINS; spins++) { // at most SPINS + 1 turns in all
        if (has_prefix(tile)) {
            return tile;
        }
    }
    do { // at most IN_FLIGHT turns in all
        tile--;
    } while (!has_prefix(tile));
    return tile;
}

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        s_ticket = take_ticket(u_part);
    }
    sync_group();
    int ticket = s_ticket;
    if (ticket >= u_groups) {
        return;
    }
    int tile = u_first + ticket;
#ifdef RECORDED
    t_tile = tile;
#endif
    Item prefix[TUPLE];
    // One round if nothing is missing. Otherwise rounds in which the group computes the missing prefixes, in the tiles'
    // order, and a last one for its own tile again.
    int wanted = tile;
    bool waited = false;
    while (true) { // at most IN_FLIGHT + 1 turns
        load_tile(wanted - u_first);
        scan_tile();
        for (int m = int(gl_LocalInvocationIndex); m < TUPLE; m += GROUP) {
            s_total[m] = tile_total(m);
        }
        if (!waited && gl_LocalInvocationIndex == 0u) {
            s_known = wait_for(tile - 1);
#ifdef RECORDED
            for (int m = 0; m < TUPLE; m++) {
                for (int missing = tile - 1; missing > s_known; missing--) {
                    record_state(0u, MISSING, missing * TUPLE + m, NOTHING, no_sum());
                }
                if (s_known >= 0) {
                    record_state(0u, COMBINED, s_known * TUPLE + m, PREFIX, s_prefix[m]);
                }
            }
#endif
        }
        sync_group();
        if (!waited) {
            for (int m = 0; m < TUPLE; m++) {
                prefix[m] = s_prefix[m];
            }
            wanted = s_known + 1;
        } else if (wanted < tile) {
            for (int m = 0; m < TUPLE; m++) {
                prefix[m] = combine(prefix[m], s_total[m]);
            }
            wanted++;
        } else {
            break;
        }
        if (!waited && wanted == tile) {
            break;
        }
        waited = true;
        // All have read what is about to be overwritten.
        sync_group();
    }
    for (int m = int(gl_LocalInvocationIndex); m < TUPLE; m += GROUP) {
        publish(tile * TUPLE + m, PREFIX, combine(prefix[m], s_total[m]));
        s_prefix[m] = prefix[m];
    }
    sync_group();
    Item before[MEMBERS];
    for (int m = 0; m < MEMBERS; m++) {
        before[m] = s_prefix[member_of(m)];
    }
    store_tile(ticket, before);
}
