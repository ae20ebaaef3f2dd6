// sengupta2006: reduce, a(d)[i] <- a(d-1)[2i] + a(d-1)[2i+1]. Both are in one row, since halving the stream
// halves the height: the left half of a row reads row 2y, the right half row 2y + 1.
// With tuples, i counts tuples and TUPLE columns go together. LAST_ALONE: n is odd, and the last item
// has no partner.
#include "common/item.glsl"
#include "common/fetch.glsl"

uniform Sampler u_source;
uniform ivec4 u_source_shape;

layout(location = 0) out Texel o_sum;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int half_width = u_source_shape.x >> 1;
    int lower = int(here.x >= half_width);
    int x = here.x - lower * half_width;
    // Below the last row there is nothing, and the result there is not used.
    int y = min(2 * here.y + lower, height_of(u_source_shape) - 1);
    ivec2 first = ivec2(2 * x - x % TUPLE, y);
    ivec2 second = first + ivec2(TUPLE, 0);

    Texel left = fetch(u_source, first, u_source_shape);
    Texel right = fetch(u_source, second, u_source_shape);
    o_sum = texel_of(combine(the_item(left), the_item(right)));
#if LAST_ALONE
    if (index_of(second, u_source_shape) >= u_source_shape.w) {
        o_sum = left;
    }
#endif
}
