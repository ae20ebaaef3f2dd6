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
    for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < VECTOR; i++) {
            t_items[row * VECTOR + i] = combine(before[i % MEMBERS], t_items[row * VECTOR + i]);
        }
    }
    put_tile(tile);
}
