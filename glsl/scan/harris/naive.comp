// harris2007, listing 1: the naive scan of a block, in two buffers that change roles after each step.
#include "scan/common/block_items.glsl"

layout(local_size_x = GROUP) in;
#if SUMMED
layout(std430, binding = SUMS) writeonly buffer Sums { Words b_sums[]; };
#endif

shared Item s_temp[2 * BLOCK];

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    int thid = int(gl_LocalInvocationIndex);
    int pout = 0, pin = 1;

    // Load input into shared memory. An exclusive scan shifts right by one and sets the first to the identity.
#if EXCLUSIVE
    s_temp[pout * BLOCK + thid] = identity();
    if (thid > 0) {
        s_temp[pout * BLOCK + thid] = load_item(thid - 1);
    }
#else
    s_temp[pout * BLOCK + thid] = load_item(thid);
#endif
    sync_group();

    for (int offset = 1; offset < BLOCK; offset *= 2) {
        pout = 1 - pout; // swap double buffer indices
        pin = 1 - pout;
        Item item = s_temp[pin * BLOCK + thid];
        if (thid >= offset) {
            item = combine(s_temp[pin * BLOCK + thid - offset], item);
        }
        s_temp[pout * BLOCK + thid] = item;
        sync_group();
    }

    Item scanned = s_temp[pout * BLOCK + thid];
    store_item(thid, scanned);
#if SUMMED
    if (thid == BLOCK - 1) {
#if EXCLUSIVE
        scanned = combine(scanned, load_item(BLOCK - 1));
#endif
        b_sums[group_index()] = WORDS_OF(scanned);
    }
#endif
}
