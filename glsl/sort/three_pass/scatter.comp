// three_pass: each tile moves its keys to where the scan of all counts says that those with their digit begin.
#include "sort/common/move_tile.glsl"

layout(std430, binding = STARTS) readonly buffer Starts { uint b_starts[]; };

void main() {
    int tile = group_index();
    if (tile >= u_groups) {
        return;
    }
    load_tile(tile);
    rank_tile();
    for (int i = 0; i < EACH; i++) {
        if (own_digit(i) < DIGITS) {
            start_digit(i, b_starts[READ_AT(STARTS, own_digit(i) * u_groups + tile, 1)]);
        }
    }
    sync_group();
    move_tile(tile);
}
