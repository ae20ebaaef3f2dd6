// capannini2011, algorithm 2: a block scanned on its own.
#include "scan/capannini/tree.glsl"

layout(local_size_x = GROUP) in;

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    for (int i = int(gl_LocalInvocationIndex); i < BLOCK; i += GROUP) {
        set_tree(address(i, 0), load_item(i));
    }
    up_sweep();
    // Line 7.
    Item total = identity();
    if (gl_LocalInvocationIndex == 0u) {
        total = tree_at(root());
        set_tree(root(), identity());
    }
    down_sweep();
    store_block(total);
}
