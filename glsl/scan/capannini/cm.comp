// capannini2011, algorithm 1: a block by the method of the Connection Machine, in place. The sums of a step wait in
// local variables until all are there.
#include "scan/common/block_items.glsl"

layout(local_size_x = GROUP) in;
#if SUMMED
layout(std430, binding = PARTIAL) writeonly buffer Partial { Words b_partial[]; };
#endif

const int OWN = BLOCK / GROUP; // items of an invocation

shared Item s_items[BLOCK];

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    int first = int(gl_LocalInvocationIndex);
    for (int j = 0; j < OWN; j++) {
        s_items[first + j * GROUP] = load_item(first + j * GROUP);
    }
    sync_group();

    for (int offset = 1; offset < BLOCK; offset *= 2) {
        Item sums[OWN];
        for (int j = 0; j < OWN; j++) {
            int k = first + j * GROUP;
            sums[j] = s_items[k];
            if (k >= offset) {
                sums[j] = combine(s_items[k - offset], sums[j]);
            }
        }
        sync_group();
        for (int j = 0; j < OWN; j++) {
            s_items[first + j * GROUP] = sums[j];
        }
        sync_group();
    }

    for (int j = 0; j < OWN; j++) {
        int k = first + j * GROUP;
#if EXCLUSIVE
        Item before = identity();
        if (k > 0) {
            before = s_items[k - 1];
        }
        store_item(k, before);
#else
        store_item(k, s_items[k]);
#endif
    }
#if SUMMED
    if (first == 0) {
        b_partial[group_index()] = WORDS_OF(s_items[BLOCK - 1]);
    }
#endif
}
