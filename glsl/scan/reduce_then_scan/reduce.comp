// Reduce: the sum of each tile. Nothing else is written.
#include "scan/common/tile.glsl"
#include "scan/common/sums.glsl"

layout(local_size_x = GROUP) in;
uniform int u_first; // the number of the first tile in the whole stream

void main() {
    int tile = group_index();
    if (tile >= u_groups) {
        return;
    }
    load_tile(tile);
#ifdef TOTALLED
    // The last tile's sum is needed too.
    for (int row = 0; row < ROWS; row++) {
        end_row(row, vector_of(tile, row));
    }
#endif
    for (int m = 0; m < MEMBERS; m++) {
        Item sum = identity();
        for (int row = 0; row < ROWS; row++) {
            Item vector = tile_item(row, m);
            for (int i = m + TUPLE; i < VECTOR; i += TUPLE) {
                vector = combine(vector, tile_item(row, i));
            }
            // If the order does not matter, lanes are combined once; else row by row.
            if (COMMUTES == 0) {
                vector = sum_of_lanes(vector, DISTANCE, WIDTH);
            }
            sum = combine(sum, vector);
        }
        if (COMMUTES != 0) {
            sum = sum_of_lanes(sum, DISTANCE, WIDTH);
        }
        if (lane_index() < DISTANCE) {
            set_warp_total(warp_index() * TUPLE + member_of(m), sum);
        }
    }
    sync_group();
    for (int m = int(gl_LocalInvocationIndex); m < TUPLE; m += GROUP) {
        put_sum((u_first + tile) * TUPLE + m, tile_total(m));
    }
}
