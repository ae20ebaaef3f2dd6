// Third phase: the sum of all tiles before it is combined in front of each item of a tile.
#include "scan/common/store.glsl"
#include "scan/common/sums.glsl"

layout(local_size_x = GROUP) in;
uniform int u_first; // the number of the first tile in the whole stream

void main() {
    int tile = group_index();
    if (tile >= u_groups) {
        return;
    }
    load_tile(tile);
    Item before[MEMBERS];
    for (int m = 0; m < MEMBERS; m++) {
        before[m] = u_first + tile > 0 ? sum_at((u_first + tile - 1) * TUPLE + member_of(m)) : identity();
    }
#if SPLIT
    // The scan of flags says where a scan has begun in the tile: what comes before it does not count from there on.
    Value scanned[ROWS * VECTOR] = t_items;
    scan_tile();
#endif
    for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < VECTOR; i++) {
            int at = row * VECTOR + i;
#if SPLIT
            bool begun = t_before[row].head != 0u || begins_up_to(row, i);
            t_items[at] = scanned[at];
            if (!begun) {
                t_items[at] = combine_values(before[0].value, scanned[at]);
            }
#else
            t_items[at] = combine(before[i % MEMBERS], t_items[at]);
#endif
        }
    }
    put_tile(tile);
}
