// three_pass: how many keys of each tile have each digit, those of one digit side by side.
#include "sort/common/tile.glsl"

layout(std430, binding = COUNTS) writeonly buffer Counts { uint b_counts[]; };

void main() {
    int tile = group_index();
    if (tile >= u_groups) {
        return;
    }
    count_tile(tile);
    for (int i = 0; i < EACH; i++) {
        int digit = own_digit(i);
        if (digit < DIGITS) {
            b_counts[WRITE_AT(COUNTS, digit * u_groups + tile, 1)] = t_counts[i];
        }
    }
}
