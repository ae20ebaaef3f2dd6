// The self-test of shared memory: a tree over a block, up and down, whose items come from the two halves of the block. With
// PADDING, unused addresses lie between them, as in harris2007. What is before item k of (2k + 1) f is k * k * f.
#include "common/group.glsl"
#include "scan/harris/conflict_free.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = SEEN) buffer Seen { uint b_seen[]; };

const int BLOCK = 2 * GROUP;

shared uint s_tree[BLOCK + CONFLICT_FREE_OFFSET(BLOCK - 1)];

uint tree_at(int n) {
    return s_tree[n + CONFLICT_FREE_OFFSET(n)];
}

void set_tree(int n, uint value) {
    s_tree[n + CONFLICT_FREE_OFFSET(n)] = value;
}

void main() {
    int own = int(gl_LocalInvocationIndex);
    set_tree(own, b_seen[own]);
    set_tree(own + GROUP, b_seen[own + GROUP]);
    int offset = 1;
    for (int nodes = GROUP; nodes > 0; nodes /= 2) {
        sync_group();
        if (own < nodes) {
            int left = offset * (2 * own + 1) - 1, right = offset * (2 * own + 2) - 1;
            set_tree(right, tree_at(left) + tree_at(right));
        }
        offset *= 2;
    }
    if (own == 0) {
        set_tree(BLOCK - 1, 0u);
    }
    for (int nodes = 1; nodes < BLOCK; nodes *= 2) {
        offset /= 2;
        sync_group();
        if (own < nodes) {
            int left = offset * (2 * own + 1) - 1, right = offset * (2 * own + 2) - 1;
            uint before = tree_at(right);
            set_tree(right, before + tree_at(left));
            set_tree(left, before);
        }
    }
    sync_group();
    b_seen[own] = tree_at(own);
    b_seen[own + GROUP] = tree_at(own + GROUP);
}
