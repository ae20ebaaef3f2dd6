// harris2007, listing 2: the work-efficient scan of a block, up a balanced tree and down again, in place in shared
// memory. With PADDING, the blocks A to E of code as they are for "Avoiding Bank Conflicts".
#include "scan/common/block_items.glsl"
#include "scan/harris/conflict_free.glsl"

layout(local_size_x = GROUP) in;
#if SUMMED
layout(std430, binding = SUMS) writeonly buffer Sums { Words b_sums[]; };
#endif

#define TEMP(n) s_temp[(n) + CONFLICT_FREE_OFFSET(n)]

shared Item s_temp[BLOCK + CONFLICT_FREE_OFFSET(BLOCK - 1)];

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    int thid = int(gl_LocalInvocationIndex);

    // A: load input into shared memory. Neighbours would be in banks of the same parity, halves are not.
#if PADDING > 0
    int first = thid, second = thid + BLOCK / 2;
#else
    int first = 2 * thid, second = 2 * thid + 1;
#endif
    TEMP(first) = load_item(first);
    TEMP(second) = load_item(second);

    // Up-sweep: build sums in place up the tree.
    int offset = 1;
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        sync_group();
        if (thid < d) {
            // B
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            TEMP(bi) = combine(TEMP(ai), TEMP(bi));
        }
        offset *= 2;
    }

    // C: keep the total, clear the last element. It is of the invocation that has just computed it.
    Item total = identity();
    if (thid == 0) {
        total = TEMP(BLOCK - 1);
        TEMP(BLOCK - 1) = identity();
#if SUMMED
        b_sums[group_index()] = WORDS_OF(total);
#endif
    }

    // Down-sweep: traverse down the tree and build the scan.
    for (int d = 1; d < BLOCK; d *= 2) {
        offset /= 2;
        sync_group();
        if (thid < d) {
            // D: what stands before both children comes first, then the left one.
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            Item t = TEMP(ai);
            TEMP(ai) = TEMP(bi);
            TEMP(bi) = combine(TEMP(bi), t);
        }
    }
    sync_group();

    // E: write results. An inclusive scan is shifted left by one, and the total inserted at the end.
#if EXCLUSIVE
    store_item(first, TEMP(first));
    store_item(second, TEMP(second));
#else
    store_item(first, TEMP(first + 1));
    if (second < BLOCK - 1) {
        store_item(second, TEMP(second + 1));
    }
    if (thid == 0) {
        store_item(BLOCK - 1, total);
    }
#endif
}
