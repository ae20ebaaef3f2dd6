// Where scans begin anew (HEADS) in a stream of u_items items: in rows of u_width items, or with FLAGGED by a table of a
// texel for 8 items (scan/around/starts.frag). A pass works on nodes, each the sum of 2^u_node items. The operator takes no
// item across a beginning; so items need no flags.
//
// Each fetch and each division adds a third to such a pass (H200): hence one word for 8 items, and the shifts.
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

// The first item of the scan that an item belongs to.
int start_of(int item) {
#if FLAGGED
    uvec4 heads = fetch(u_heads, texel_at(item >> 3, u_heads_shape), u_heads_shape);
    uint bits = heads.x & (0xFFu >> uint(7 - (item & 7)));
    if (bits != 0u) {
        return (item & ~7) + highest_bit(bits);
    }
#if FAR
    return int(heads.y);
#else
    return (item & ~7) - int(heads.x >> 8);
#endif
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
