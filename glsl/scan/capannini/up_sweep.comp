// capannini2011, algorithm 2, lines 1 to 6: the sums of a block. The tree is written as it is, for the way down, and
// the total goes to partial[].
#include "scan/capannini/tree.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = PARTIAL) writeonly buffer Partial { Words b_partial[]; };

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    for (int i = int(gl_LocalInvocationIndex); i < BLOCK; i += GROUP) {
        s_tree[address(i, 0)] = load_item(i);
    }
    up_sweep();
    // A tree is written as far as it goes: behind the stream's end there are sums, too.
    for (int i = int(gl_LocalInvocationIndex); i < BLOCK; i += GROUP) {
        b_target[place_of(i)] = WORDS_OF(s_tree[address(i, 0)]);
    }
    if (gl_LocalInvocationIndex == 0u) {
        b_partial[group_index()] = WORDS_OF(s_tree[root()]);
    }
}
