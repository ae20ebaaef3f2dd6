// Scan, on a CPU: each invocation scans a tile of its own, item by item, from the sum of all tiles before it.
#include "scan/common/store.glsl"
#include "scan/common/sums.glsl"

layout(local_size_x = GROUP) in;
uniform int u_first; // the number of the first tile in the whole stream
uniform int u_tiles; // that are bound

void main() {
    int tile = invocation_index();
    if (tile >= u_tiles) {
        return;
    }
    Item sums[TUPLE];
    for (int m = 0; m < TUPLE; m++) {
#ifdef CARRIED
        // With the sum before each tile.
        sums[m] = sum_at((u_first + tile) * TUPLE + m);
#else
        sums[m] = u_first + tile > 0 ? sum_at((u_first + tile - 1) * TUPLE + m) : identity();
#endif
    }
    for (int vector = tile * ROWS; vector < (tile + 1) * ROWS; vector++) {
        load_vector(0, vector);
#if SPLIT
        load_heads(0, vector);
#endif
        for (int i = 0; i < VECTOR; i++) {
            Item sum = combine(sums[i % TUPLE], tile_item(0, i));
#if SPLIT
            Value before = sums[0].value;
            if (begins_at(0, i)) {
                before = no_value();
            }
            t_items[i] = EXCLUSIVE != 0 ? before : sum.value;
#else
            t_items[i] = EXCLUSIVE != 0 ? sums[i % TUPLE] : sum;
#endif
            sums[i % TUPLE] = sum;
        }
        put_vector(0, vector);
    }
}
