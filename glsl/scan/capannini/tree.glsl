// capannini2011, algorithms 2 and 3: up a balanced tree over a block in shared memory, and down again. The access
// pattern is the address of each node's sum.
//
// Level 0 has the items. Node i of level d + 1 is the sum of the nodes 2i and 2i + 1 of level d, and replaces one of
// them; the other one's address holds the left child's sum, which the way down needs.
#include "scan/common/block_items.glsl"

// PATTERN: a sum replaces its right operand (NO_PADDING); the same with an unused address after each row of banks
// (PADDING); or its left or its right operand, so that neighbours are in different banks (LEFT_RIGHT).
#define NO_PADDING 0
#define PADDING 1
#define LEFT_RIGHT 2

#if PATTERN == LEFT_RIGHT
// As many copies of the low bits as a level needs: multiplying by this number puts them side by side. A constant, since a loop
// here makes the whole scan 1.5 times as slow on an H200.
const int BITS = (LOG_BLOCK + LOG_BANKS - 1) / LOG_BANKS * LOG_BANKS;
const int COPIES = ((1 << BITS) - 1) / ((1 << LOG_BANKS) - 1);

// LEFTRIGHT: below x come the m low bits of ROT^m(x): the low bits of x from the highest on, again and again.
int address(int x, int m) {
    int again = (x & ((1 << LOG_BANKS) - 1)) * COPIES;
    return x << m | again >> (BITS - m);
}
#else
int address(int x, int m) {
    int last = ((x + 1) << m) - 1;
    return PATTERN == PADDING ? last + int(uint(last) >> LOG_BANKS) : last; // unsigned: rule 13 in src/plan/shader.rs
}
#endif

shared Item s_tree[BLOCK + (PATTERN == PADDING ? (BLOCK - 1) >> LOG_BANKS : 0)];

Item tree_at(int place) { return SHARED_READ(ARRAY_ITEMS, place, s_tree[place]); }
void set_tree(int place, Item item) { s_tree[place] = SHARED_WRITE(ARRAY_ITEMS, place, item); }

// A node of level d + 1: its address, and that of the child which is elsewhere.
struct Node {
    int place;
    int other;
    bool left; // whether it replaces its left child
};

Node node_at(int i, int d) {
    int left = address(2 * i, d), right = address(2 * i + 1, d);
    int place = address(i, d + 1);
    return Node(place, left + right - place, place == left);
}

// Lines 1 to 6. The items must be at their addresses; afterwards the sum of all is at the root.
void up_sweep() {
    int i = int(gl_LocalInvocationIndex);
    for (int d = 0, nodes = BLOCK / 2; nodes > 0; d++, nodes /= 2) { // at most LOG_BLOCK turns
        sync_group();
        if (i < nodes) {
            // First the operand that the sum replaces, then the other: so both loads are free of conflicts.
            Node node = node_at(i, d);
            Item own = tree_at(node.place);
            Item other = tree_at(node.other);
            if (node.left) {
                set_tree(node.place, combine(own, other));
                set_tree(node.other, own);
            } else {
                set_tree(node.place, combine(other, own));
            }
        }
    }
    sync_group();
}

int root() {
    return address(0, LOG_BLOCK);
}

// Lines 8 to 15. The root must hold the sum before the block; afterwards each item holds the sum before it.
void down_sweep() {
    int i = int(gl_LocalInvocationIndex);
    for (int d = LOG_BLOCK - 1, nodes = 1; nodes < BLOCK; d--, nodes *= 2) { // at most LOG_BLOCK turns
        sync_group();
        if (i < nodes) {
            Node node = node_at(i, d);
            Item before = tree_at(node.place);
            Item after = combine(before, tree_at(node.other));
            // The right child's address is the other one for a left sum, and its own for a right sum. All invocations
            // store to the other addresses at a time, as they loaded from them: a store in each of two branches would
            // have conflicts.
            Item other = before;
            if (node.left) {
                other = after;
            }
            set_tree(node.other, other);
            if (!node.left) {
                set_tree(node.place, after);
            }
        }
    }
    sync_group();
}

// Writes the results: as they are, or shifted left by one with the total at the end.
void store_block(Item total) {
    for (int i = int(gl_LocalInvocationIndex); i < BLOCK; i += GROUP) {
#if EXCLUSIVE
        store_item(i, tree_at(address(i, 0)));
#else
        if (i < BLOCK - 1) {
            store_item(i, tree_at(address(i + 1, 0)));
        }
#endif
    }
#if !EXCLUSIVE
    // The first invocation has it.
    if (gl_LocalInvocationIndex == 0u) {
        store_item(BLOCK - 1, total);
    }
#endif
}
