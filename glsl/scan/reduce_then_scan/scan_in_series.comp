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
    Item sums[MEMBERS];
    for (int m = 0; m < MEMBERS; m++) {
#ifdef CARRIED
        // With the sum before each tile.
        sums[m] = sum_at((u_first + tile) * TUPLE + m);
#else
        sums[m] = u_first + tile > 0 ? sum_at((u_first + tile - 1) * TUPLE + m) : identity();
#endif
    }
    for (int vector = tile * ROWS; vector < (tile + 1) * ROWS; vector++) { // at most ROWS turns
        load_alone(vector);
        scan_alone(sums);
        put_vector(0, vector);
    }
}
