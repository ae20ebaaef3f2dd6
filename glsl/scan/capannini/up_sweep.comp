// capannini2011, algorithm 2, lines 1 to 6: the sums of a block. The tree is written as it is, for the way down, and
// the total goes to partial[].
#include "scan/capannini/tree.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = PARTIAL) writeonly buffer Partial { Stored b_partial[]; };

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    for (int i = int(gl_LocalInvocationIndex); i < BLOCK; i += GROUP) {
        set_tree(address(i, 0), load_item(i));
    }
    up_sweep();
    // A tree is written in full: there are sums past the stream's end, too.
    for (int i = int(gl_LocalInvocationIndex); i < BLOCK; i += GROUP) {
        Item node = tree_at(address(i, 0));
        b_target[WRITE_AT(TARGET, place_of(i), ITEM_WORDS)] = STORED_OF(node);
    }
    if (gl_LocalInvocationIndex == 0u) {
        Item total = tree_at(root());
        b_partial[WRITE_AT(PARTIAL, group_index(), ITEM_WORDS)] = STORED_OF(total);
    }
}
