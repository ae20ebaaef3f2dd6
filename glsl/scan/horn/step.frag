// horn2005: one step of the scan, x[k] <- x[k - offset] + x[k], or x[k] if nothing is that far to the left. With MOVED
// the step reads everything u_moved positions to the left, which makes the scan exclusive. With BLOCK, blocks of that
// many columns are scanned, each on its own.
#include "common/item_texels.glsl"

uniform ItemSampler u_source;
uniform ivec4 u_source_shape;
uniform ivec2 u_offset;
#if MOVED
uniform ivec2 u_moved;
#endif

void main() {
    ivec2 right = ivec2(gl_FragCoord.xy);
#if MOVED
    right = left_of(right, u_moved, u_source_shape.x);
    if (right.y < 0) {
        write_item(identity());
        return;
    }
#endif
    Item item = fetch_item(u_source, right, u_source_shape);
    ivec2 left = left_of(right, u_offset, u_source_shape.x);
#ifdef BLOCK
    bool alone = (right.x & (BLOCK - 1)) < u_offset.x;
#else
    bool alone = left.y < 0;
#endif
    if (!alone) {
        item = combine(fetch_item(u_source, left, u_source_shape), item);
    }
    write_item(item);
}
