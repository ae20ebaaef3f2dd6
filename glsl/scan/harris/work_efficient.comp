// harris2007, listing 2: the work-efficient scan of a block, up a balanced tree and down again, in place in shared
// memory. With PADDING, the blocks A to E of code as they are for "Avoiding Bank Conflicts".
#include "scan/common/block_items.glsl"
#include "scan/harris/conflict_free.glsl"

layout(local_size_x = GROUP) in;
#if SUMMED
layout(std430, binding = SUMS) writeonly buffer Sums { Stored b_sums[]; };
#endif

shared Item s_temp[BLOCK + CONFLICT_FREE_OFFSET(BLOCK - 1)];

Item temp(int n) {
    int place = n + CONFLICT_FREE_OFFSET(n);
    return SHARED_READ(ARRAY_ITEMS, place, s_temp[place]);
}

void set_temp(int n, Item item) {
    int place = n + CONFLICT_FREE_OFFSET(n);
    s_temp[place] = SHARED_WRITE(ARRAY_ITEMS, place, item);
}

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
    set_temp(first, load_item(first));
    set_temp(second, load_item(second));

    // Up-sweep: build sums in place up the tree.
    int offset = 1;
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        sync_group();
        if (thid < d) {
            // B
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            set_temp(bi, combine(temp(ai), temp(bi)));
        }
        offset *= 2;
    }

    // C: keep the total, clear the last element. The invocation that has just computed it does both.
    Item total = identity();
    if (thid == 0) {
        total = temp(BLOCK - 1);
        set_temp(BLOCK - 1, identity());
#if SUMMED
        b_sums[WRITE_AT(SUMS, group_index(), ITEM_WORDS)] = STORED_OF(total);
#endif
    }

    // Down-sweep: traverse down the tree and build the scan.
    for (int d = 1; d < BLOCK; d *= 2) {
        offset /= 2;
        sync_group();
        if (thid < d) {
            // D: the sum before both children comes first, then the left one.
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            Item t = temp(ai);
            set_temp(ai, temp(bi));
            set_temp(bi, combine(temp(bi), t));
        }
    }
    sync_group();

    // E: write results. An inclusive scan is shifted left by one, and the total inserted at the end.
#if EXCLUSIVE
    store_item(first, temp(first));
    store_item(second, temp(second));
#else
    store_item(first, temp(first + 1));
    if (second < BLOCK - 1) {
        store_item(second, temp(second + 1));
    }
    if (thid == 0) {
        store_item(BLOCK - 1, total);
    }
#endif
}
