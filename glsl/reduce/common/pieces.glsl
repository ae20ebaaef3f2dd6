// Reduce: each warp combines pieces of the stream, in the registers of its lanes.
#include "common/bound_length.glsl"
#include "scan/common/tile.glsl"
#include "scan/common/sums.glsl"

uniform int u_first_sum; // the number of the first work group among those of all parts of the stream

const int PIECE = ROWS * WIDTH * VECTOR; // items

// Loads a piece, by its number among those that are bound. Past the stream's end is the identity.
void load_piece(int piece) {
    if (lane_index() >= WIDTH) {
        for (int i = 0; i < ROWS * VECTOR; i++) {
            t_items[i] = identity();
        }
        return;
    }
    int first = piece * ROWS * WIDTH + lane_index();
    if ((piece + 1) * PIECE <= bound_length(u_len)) {
        // No test for the end: so the loads of all rows are in flight at once.
        for (int row = 0; row < ROWS; row++) {
            Loaded loaded[LOADS];
            for (int i = 0; i < LOADS; i++) {
                loaded[i] = load_at((first + row * WIDTH) * LOADS + i);
            }
            take_row(row, loaded);
        }
        return;
    }
    for (int row = 0; row < ROWS; row++) {
        int vector = first + row * WIDTH;
        load_vector(row, vector);
        for (int i = 0; i < VECTOR; i++) {
            if (vector * VECTOR + i >= bound_length(u_len)) {
                t_items[row * VECTOR + i] = identity();
            }
        }
    }
}

// Leaves the totals of the group's warps for all of it to read.
void reduce_pieces() {
    int pieces = (bound_length(u_len) + PIECE - 1) / PIECE;
    int warp = group_index() * WARPS + warp_index();
    int warps = u_groups * WARPS;
    int each = pieces / warps, more = pieces % warps;
    int turns = each + (warp < more ? 1 : 0);
    // If the order does not matter, all warps load side by side; else each has pieces that follow each other.
    int first = COMMUTES != 0 ? warp : warp * each + min(warp, more);
    int step = COMMUTES != 0 ? warps : 1;

    Item sums[MEMBERS];
    for (int m = 0; m < MEMBERS; m++) {
        sums[m] = identity();
    }
    for (int turn = 0; turn < turns; turn++) { // at most u_len / (PIECE * WARPS * u_groups) + 2 turns
        load_piece(first + turn * step);
        for (int m = 0; m < MEMBERS; m++) {
            for (int row = 0; row < ROWS; row++) {
                Item vector = t_items[row * VECTOR + m];
                for (int i = m + TUPLE; i < VECTOR; i += TUPLE) {
                    vector = combine(vector, t_items[row * VECTOR + i]);
                }
                // If the order matters, lanes are combined row by row; else once, at the end.
                if (COMMUTES == 0) {
                    vector = sum_of_lanes(vector, DISTANCE, WIDTH);
                }
                sums[m] = combine(sums[m], vector);
            }
        }
    }
    for (int m = 0; m < MEMBERS; m++) {
        if (COMMUTES != 0) {
            sums[m] = sum_of_lanes(sums[m], DISTANCE, WIDTH);
        }
        if (lane_index() < DISTANCE) {
            set_warp_total(warp_index() * TUPLE + member_of(m), sums[m]);
        }
    }
    sync_group();
}

// Writes the group's result for each member.
void put_sums() {
    for (int m = int(gl_LocalInvocationIndex); m < TUPLE; m += GROUP) {
        put_sum((u_first_sum + group_index()) * TUPLE + m, tile_total(m));
    }
}
