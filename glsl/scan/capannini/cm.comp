// capannini2011, algorithm 1: a block by the method of the Connection Machine, in place. The sums of a step wait in
// local variables until all are computed.
#include "scan/common/block_items.glsl"

layout(local_size_x = GROUP) in;
#if SUMMED
layout(std430, binding = PARTIAL) writeonly buffer Partial { Stored b_partial[]; };
#endif

const int OWN = BLOCK / GROUP; // items of an invocation

shared Item s_items[BLOCK];

Item item_at(int k) { return SHARED_READ(ARRAY_ITEMS, k, s_items[k]); }
void set_item(int k, Item item) { s_items[k] = SHARED_WRITE(ARRAY_ITEMS, k, item); }

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    int first = int(gl_LocalInvocationIndex);
    for (int j = 0; j < OWN; j++) {
        set_item(first + j * GROUP, load_item(first + j * GROUP));
    }
    sync_group();

    for (int offset = 1; offset < BLOCK; offset *= 2) {
        Item sums[OWN];
        for (int j = 0; j < OWN; j++) {
            sums[j] = item_at(first + j * GROUP);
        }
        // Separate from the loop above, so that neighbours make the same access at a time although the first ones skip
        // some.
        for (int j = 0; j < OWN; j++) {
            int k = first + j * GROUP;
            if (k >= offset) {
                sums[j] = combine(item_at(k - offset), sums[j]);
            }
        }
        sync_group();
        for (int j = 0; j < OWN; j++) {
            set_item(first + j * GROUP, sums[j]);
        }
        sync_group();
    }

    for (int j = 0; j < OWN; j++) {
        int k = first + j * GROUP;
#if EXCLUSIVE
        Item before = identity();
        if (k > 0) {
            before = item_at(k - 1);
        }
        store_item(k, before);
#else
        store_item(k, item_at(k));
#endif
    }
#if SUMMED
    if (first == 0) {
        Item total = item_at(BLOCK - 1);
        b_partial[WRITE_AT(PARTIAL, group_index(), ITEM_WORDS)] = STORED_OF(total);
    }
#endif
}
