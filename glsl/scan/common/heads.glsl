// Where scans begin anew (HEADS) in a stream of u_items items: in rows of u_width items, or with FLAGGED by a table of a
// texel for 8 items (scan/option_passes/starts.frag). A pass works on nodes, each the sum of 2^u_node items. The operator takes no
// item across a beginning; so items need no flags.
//
// Passes fetch the table beside their items, not before them: where one fetch waited for the other, horn took 1.6 times as
// long as on a whole stream, and 1.1 times since (2^24 u32, H200).
#ifdef HEADS
uniform int u_items;
uniform int u_node; // log2 of the items in a node
#if FLAGGED
#include "scan/common/highest_bit.glsl"
uniform usampler2D u_heads;
uniform ivec4 u_heads_shape;
#else
uniform int u_width;
#endif

#if FLAGGED
uvec4 heads_of(int item) {
    return fetch(u_heads, texel_at(item >> 3, u_heads_shape), u_heads_shape);
}

// The first item of the scan that an item belongs to, by the table's texel for it.
int start_by(uvec4 heads, int item) {
    uint bits = heads.x & (0xFFu >> uint(7 - (item & 7)));
    if (bits != 0u) {
        return (item & ~7) + highest_bit(bits);
    }
#if FAR
    return int(heads.y);
#else
    return (item & ~7) - int(heads.x >> 8);
#endif
}
#endif

// The first item of the scan that an item belongs to.
int start_of(int item) {
#if FLAGGED
    return start_by(heads_of(item), item);
#else
    return item - item % u_width;
#endif
}

// The first item of the scan that a node's last item belongs to.
int start_of_node(int node) {
    return start_of(min((node << u_node) + (1 << u_node) - 1, u_items - 1));
}

// Whether a scan begins in a node: then nothing before the node counts for its last item.
bool begins_in(int node) {
    return start_of_node(node) >= node << u_node;
}
#endif
