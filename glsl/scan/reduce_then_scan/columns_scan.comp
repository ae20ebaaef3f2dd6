// Scan columns: each column of a band, from the sum of the bands before it (SUMMED).
#include "scan/reduce_then_scan/columns.glsl"
#if SUMMED
#include "scan/common/sums.glsl"
#endif

layout(local_size_x = GROUP) in;
layout(std430, binding = TARGET) writeonly buffer Target { uint b_target[]; };

void main() {
    int column = own_column(), band = own_band();
    if (group_index() >= u_groups || column >= u_width) {
        return;
    }
    Item sum = identity();
    bool begun = false;
#if SUMMED
    if (band > 0) {
        sum = sum_at((band - 1) * u_width + column);
        begun = true;
    }
#endif
    int end = min((band + 1) * BAND, u_rows);
    for (int row = band * BAND; row < end; row++) { // at most BAND turns
        int index = row * u_width + column;
        Item own = source_item(index);
        // The first item is copied, so that -0.0 stays -0.0.
        Item next = own;
        if (begun) {
            next = combine(sum, own);
        }
#if EXCLUSIVE
        Words words = words_of_item(sum);
#else
        Words words = words_of_item(next);
#endif
        for (int i = 0; i < ITEM_WORDS; i++) {
            b_target[WRITE_AT(TARGET, index * ITEM_WORDS + i, 1)] = WORD(words, i);
        }
        sum = next;
        begun = true;
    }
}
