// harris2007, listing 1: the naive scan of a block, in two buffers that change roles after each step.
#include "scan/common/block_items.glsl"

layout(local_size_x = GROUP) in;
#if SUMMED
layout(std430, binding = SUMS) writeonly buffer Sums { Stored b_sums[]; };
#endif

shared Item s_temp[2 * BLOCK];

Item temp(int place) { return SHARED_READ(ARRAY_ITEMS, place, s_temp[place]); }
void set_temp(int place, Item item) { s_temp[place] = SHARED_WRITE(ARRAY_ITEMS, place, item); }

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    int thid = int(gl_LocalInvocationIndex);
    int pout = 0, pin = 1;

    // Load input into shared memory. An exclusive scan shifts right by one and sets the first to the identity.
#if EXCLUSIVE
    set_temp(pout * BLOCK + thid, identity());
    if (thid > 0) {
        set_temp(pout * BLOCK + thid, load_item(thid - 1));
    }
#else
    set_temp(pout * BLOCK + thid, load_item(thid));
#endif
    sync_group();

    for (int offset = 1; offset < BLOCK; offset *= 2) {
        pout = 1 - pout; // swap double buffer indices
        pin = 1 - pout;
        Item item = temp(pin * BLOCK + thid);
        if (thid >= offset) {
            item = combine(temp(pin * BLOCK + thid - offset), item);
        }
        set_temp(pout * BLOCK + thid, item);
        sync_group();
    }

    Item scanned = temp(pout * BLOCK + thid);
    store_item(thid, scanned);
#if SUMMED
    if (thid == BLOCK - 1) {
#if EXCLUSIVE
        scanned = combine(scanned, load_item(BLOCK - 1));
#endif
        b_sums[WRITE_AT(SUMS, group_index(), ITEM_WORDS)] = STORED_OF(scanned);
    }
#endif
}
