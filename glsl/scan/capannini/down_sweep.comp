// capannini2011, algorithm 2, lines 8 to 15: the scan of a block, from its tree and the sum before it.
#include "scan/capannini/tree.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = PARTIAL) readonly buffer Partial { Stored b_partial[]; };

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    for (int i = int(gl_LocalInvocationIndex); i < BLOCK; i += GROUP) {
        set_tree(address(i, 0), ITEM_OF(b_source[READ_AT(SOURCE, place_of(i), ITEM_WORDS)]));
    }
    sync_group();
    Item total = identity();
    if (gl_LocalInvocationIndex == 0u) {
        Item before = ITEM_OF(b_partial[READ_AT(PARTIAL, group_index(), ITEM_WORDS)]);
#if !EXCLUSIVE
        total = combine(before, tree_at(root()));
#endif
        set_tree(root(), before);
    }
    down_sweep();
    store_block(total);
}
