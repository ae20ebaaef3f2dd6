// horn2005: one step of the scan, x[k] <- x[k - offset] + x[k], or x[k] if nothing is that far to the left. With MOVED
// the step reads everything u_moved positions to the left, which makes the scan exclusive. With BLOCK, blocks of that
// many columns are scanned, each on its own. With HEADS, nothing counts from before the scan that x[k] belongs to.
#include "common/source_texels.glsl"
#include "common/item_texels.glsl"
#include "scan/common/heads.glsl"

uniform ivec2 u_offset;
#if MOVED
uniform ivec2 u_moved;
#endif

void main() {
    ivec2 right = ivec2(gl_FragCoord.xy);
#ifdef HEADS
    // The node in which the scan of the last item begins.
    int start = start_of_node(index_of(right, u_source_shape)) >> u_node;
#endif
#if MOVED
    right = left_of(right, u_moved, u_source_shape.x);
#ifdef HEADS
    bool first = index_of(right, u_source_shape) < start;
#else
    bool first = right.y < 0;
#endif
    if (first) {
        write_item(identity());
        return;
    }
#endif
    Item item = fetch_item(u_source, right, u_source_shape);
    ivec2 left = left_of(right, u_offset, u_source_shape.x);
#ifdef BLOCK
    bool alone = (right.x & (BLOCK - 1)) < u_offset.x;
#elif defined HEADS
    bool alone = index_of(left, u_source_shape) < start;
#else
    bool alone = left.y < 0;
#endif
#ifdef HEADS
    // Fetched at once with the table, not after it.
    Item before = fetch_item(u_source, max(left, 0), u_source_shape);
    if (!alone) {
        item = combine(before, item);
    }
#else
    if (!alone) {
        item = combine(fetch_item(u_source, left, u_source_shape), item);
    }
#endif
    write_item(item);
}
