// sengupta2006: down-sweep. Odd i takes a(d+1)[i/2]; even i > 0 takes a(d+1)[i/2 - 1] + a(d)[i]; the first is left.
// With EXCLUSIVE (the last pass of an exclusive scan): even i takes a(d+1)[i/2 - 1], odd i takes
// a(d+1)[i/2 - 1] + a(d)[i - 1], and the first is the identity.
// With HEADS, nothing counts from before the scan that an item belongs to.
// With BLOCK, blocks of that many items of this level, which lie within rows, are scanned, each on its own.
#include "common/item_texels.glsl"
#include "scan/common/heads.glsl"

uniform ItemSampler u_values; // a(d), not yet scanned
uniform ivec4 u_values_shape;
uniform ItemSampler u_sums; // a(d+1), scanned
uniform ivec4 u_sums_shape;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int half_width = u_values_shape.x >> 1;
    int member = here.x % TUPLE;
    int i = here.x / TUPLE;
    bool odd = (i & 1) == 1;
    // a(d+1)[i/2], and the item before it.
    ivec2 own = ivec2((i >> 1) * TUPLE + member + (here.y & 1) * half_width, here.y >> 1);
    ivec2 before = left_of(own, ivec2(TUPLE, 0), u_sums_shape.x);

#if EXCLUSIVE
    // The value to the left is in the same pair, so in the same row.
    Item value = identity();
    if (odd) {
        value = fetch_item(u_values, max(here - ivec2(TUPLE, 0), 0), u_values_shape);
    }
    ivec2 place = before;
    bool takes_value = odd;
#else
    Item value = fetch_item(u_values, here, u_values_shape);
    ivec2 place = odd ? own : before;
    bool takes_value = !odd;
#endif
    // Both are always fetched: that is cheaper than a branch.
    Item sum = fetch_item(u_sums, max(place, 0), u_sums_shape);
#ifdef BLOCK
    bool alone = i % BLOCK == 0;
#elif defined HEADS
    int index = index_of(here, u_values_shape);
#if EXCLUSIVE
    int start = start_of(min(index, u_items - 1));
    // The scan begins with this item, or with the one before it.
    if (start == index) {
        value = identity();
    }
    bool alone = odd ? start >= index - 1 : start == index;
#else
    // An odd item's sum is that of its pair, which is its own.
    bool cut = begins_in(min(index, u_values_shape.w - 1));
    bool alone = !odd && (cut || place.y < 0);
#endif
#else
    bool alone = place.y < 0;
#endif
    if (alone) {
        sum = value;
    } else if (takes_value) {
        sum = combine(sum, value);
    }
    write_item(sum);
}
