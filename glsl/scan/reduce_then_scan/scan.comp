// Scan: each tile again, starting from the sum of all tiles before it.
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
    scan_tile();
    Item before[MEMBERS];
    for (int m = 0; m < MEMBERS; m++) {
#ifdef CARRIED
        // With the sum before each tile.
        before[m] = sum_at((u_first + tile) * TUPLE + member_of(m));
#else
        before[m] = u_first + tile > 0 ? sum_at((u_first + tile - 1) * TUPLE + member_of(m)) : identity();
#endif
    }
    store_tile(tile, before);
}
