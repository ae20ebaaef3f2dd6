// sengupta2006: reduce, a(d)[i] <- a(d-1)[2i] + a(d-1)[2i+1]. Both are in one row, since halving the stream
// halves the height: the left half of a row reads row 2y, the right half row 2y + 1.
// With tuples, i counts tuples and TUPLE columns go together. LAST_ALONE: n is odd, and the last item
// has no partner. With HEADS, a scan that begins in the second item leaves the first out.
#include "common/source_texels.glsl"
#include "common/item_texels.glsl"
#include "scan/common/heads.glsl"

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int half_width = u_source_shape.x >> 1;
    int lower = int(here.x >= half_width);
    int x = here.x - lower * half_width;
    // Below the last row there is nothing, and the result there is not used.
    int y = min(2 * here.y + lower, height_of(u_source_shape) - 1);
    ivec2 first = ivec2(2 * x - x % TUPLE, y);
    ivec2 second = first + ivec2(TUPLE, 0);

    Item left = fetch_item(u_source, first, u_source_shape);
    Item right = fetch_item(u_source, second, u_source_shape);
    Item sum = combine(left, right);
#ifdef HEADS
    // Past the end there are no items to ask for.
    int node = min(index_of(second, u_source_shape), u_source_shape.w - 1);
    if (begins_in(node)) {
        sum = right;
    }
#endif
#if LAST_ALONE
    if (index_of(second, u_source_shape) >= u_source_shape.w) {
        sum = left;
    }
#endif
    write_item(sum);
}
