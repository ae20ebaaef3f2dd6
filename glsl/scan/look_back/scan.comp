// The scan with decoupled look-back: each tile is read once and written once.
#include "scan/common/store.glsl"
#include "scan/common/look_back.glsl"

layout(local_size_x = GROUP) in;

uniform int u_part; // which part of the stream is bound
uniform int u_first; // the number of its first tile in the whole stream

shared int s_ticket;
shared int s_missing;
shared Item s_total[TUPLE];
shared Item s_prefix[TUPLE];

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
    Sum prefix[TUPLE];
    for (int m = 0; m < TUPLE; m++) {
        prefix[m] = no_sum();
    }
    int end = tile - 1;

    // One round, as long as nothing is missing. Else rounds in which the group computes what is missing, and a
    // last one for its own tile again.
    int wanted = tile;
    bool published = false;
    while (true) {
        load_tile(wanted - u_first);
        scan_tile();
        if (warp_index() == 0) {
            for (int m = lane_index(); m < TUPLE; m += LANES) {
                s_total[m] = tile_total(m);
                if (!published) {
                    publish(tile, m, tile == 0 ? PREFIX : AGGREGATE, s_total[m]);
                }
            }
        }
        published = true;
        if (wanted != tile) {
            sync_group();
            for (int m = 0; m < TUPLE; m++) {
                prefix[m] = add_sums(s_total[m], prefix[m]);
            }
            end = wanted - 1;
        }
        if (end >= 0 && warp_index() == 0) {
            int missing = look_back(end, prefix);
            if (lane_index() == 0) {
                s_missing = missing;
            }
        }
        sync_group();
        int missing = end >= 0 ? s_missing : -1;
        if (missing < 0 && wanted == tile) {
            break;
        }
        // All have read what is about to be written.
        sync_group();
        end = missing < 0 ? -1 : end;
        wanted = missing < 0 ? tile : missing;
    }

    if (warp_index() == 0 && lane_index() == 0) {
        for (int m = 0; m < TUPLE; m++) {
            s_prefix[m] = prefix[m];
            if (tile > 0) {
                publish(tile, m, PREFIX, add_sums(prefix[m], s_total[m]));
            }
        }
    }
    sync_group();
    Item before[MEMBERS];
    for (int m = 0; m < MEMBERS; m++) {
        before[m] = s_prefix[member_of(m)];
    }
    store_tile(ticket, before);
}
