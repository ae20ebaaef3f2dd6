// First phase: each tile is scanned on its own, and its sum stored.
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
        before[m] = identity();
    }
    store_tile(tile, before);
    for (int m = int(gl_LocalInvocationIndex); m < TUPLE; m += GROUP) {
        put_sum((u_first + tile) * TUPLE + m, tile_total(m));
    }
}
