// Reduce, on a CPU: each invocation reduces a tile of its own, item by item.
#include "scan/common/tile.glsl"
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
        sums[m] = identity();
    }
    for (int vector = tile * ROWS; vector < (tile + 1) * ROWS; vector++) { // at most ROWS turns
        load_alone(vector);
#ifdef TOTALLED
        end_row(0, vector); // the last tile's sum is needed too
#endif
        add_alone(sums);
    }
    for (int m = 0; m < TUPLE; m++) {
        put_sum((u_first + tile) * TUPLE + m, sums[m]);
    }
}
