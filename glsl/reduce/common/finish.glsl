// The results of all work groups, combined in order by one group.
#include "scan/common/totals.glsl"
#include "scan/common/sums.glsl"

layout(std430, binding = RESULT) writeonly buffer Result { uint b_result[]; };

void put_result(int member, Item item) {
    Words words = words_of_item(item);
    for (int i = 0; i < ITEM_WORDS; i++) {
        b_result[WRITE_AT(RESULT, member * ITEM_WORDS + i, 1)] = WORD(words, i);
    }
}

// Each invocation takes neighbouring sums. The group must have finished reading totals.
void finish(int sums) {
    int each = (sums + GROUP - 1) / GROUP;
    int first = (warp_index() * LANES + lane_index()) * each;
    for (int m = 0; m < TUPLE; m++) {
        Item sum = identity();
        for (int i = first; i < min(first + each, sums); i++) { // at most u_sums / GROUP + 1 turns
            sum = combine(sum, sum_at(i * TUPLE + m));
        }
        sum = sum_of_lanes(sum, 1, LANES);
        if (lane_index() == 0) {
            set_warp_total(warp_index() * TUPLE + m, sum);
        }
    }
    sync_group();
    for (int m = int(gl_LocalInvocationIndex); m < TUPLE; m += GROUP) {
        put_result(m, tile_total(m));
    }
}
