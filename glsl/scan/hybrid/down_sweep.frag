// Down-sweep, LEVELS levels at once: from the scanned sums a(d + LEVELS) to the scanned a(d).
//
// Item i stands in a pack of 2^LEVELS. Its result is the sum of all packs before its own, plus `count`
// items of its own pack: up to itself (inclusive) or before itself (exclusive). The saved textures
// hold that second sum in parts, one for every bit set in count, the largest part first. A whole
// pack is in the scanned sums already.
//
// LEVELS = 1 is the paper's step: odd i takes a(d+1)[i/2]; even i takes a(d+1)[i/2 - 1] + a(d)[i].
#include "common/item.glsl"
#include "common/stream.glsl"

uniform Sampler u_sums; // a(d + LEVELS), scanned
uniform ivec4 u_sums_shape;
uniform Sampler u_values; // a(d), not yet scanned; all levels are of its width
uniform ivec4 u_values_shape;
#if LEVELS > 1
uniform Sampler u_halves; // a(d + 1), not yet scanned
#endif
#if LEVELS > 2
uniform Sampler u_quarters; // a(d + 2), not yet scanned
#endif

layout(location = 0) out Texel o_result;

// Where i / 2^levels is, `levels` levels above the texel of i: each level halves the height, its
// even rows going to the left half, its odd rows to the right half.
ivec2 above(ivec2 texel, int member, int levels) {
    for (int level = 0; level < levels; level++) {
        int half_row = (texel.y & 1) * (u_values_shape.x >> 1);
        texel = ivec2((texel.x / TUPLE >> 1) * TUPLE + member + half_row, texel.y >> 1);
    }
    return texel;
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int member = here.x % TUPLE;
    int in_pack = (here.x / TUPLE) & ((1 << LEVELS) - 1);
    int count = in_pack + (EXCLUSIVE == 1 ? 0 : 1);

    // Everything is fetched whether it is needed or not: that is cheaper than branches.
    ivec2 pack = above(here, member, LEVELS);
    ivec2 place = count == 1 << LEVELS
        ? pack
        : left_of(pack, ivec2(TUPLE, 0), u_sums_shape.x);
    Item sum = the_item(texelFetch(u_sums, max(place, 0), 0));
    bool first = place.y < 0;

    // The part of 2^LEVEL items, from the saved texture of that level.
#define ADD_PART(LEVEL, SAVED) \
    if (true) { \
        ivec2 at = above(here, member, LEVEL); \
        at.x += (((count >> (LEVEL + 1)) << 1) - (in_pack >> LEVEL)) * TUPLE; \
        Item part = the_item(texelFetch(SAVED, at, 0)); \
        if (((count >> LEVEL) & 1) == 1) { \
            if (first) { sum = part; } else { sum = combine(sum, part); } \
            first = false; \
        } \
    }
#if LEVELS > 2
    ADD_PART(2, u_quarters)
#endif
#if LEVELS > 1
    ADD_PART(1, u_halves)
#endif
    ADD_PART(0, u_values)

    if (first) {
        sum = identity();
    }
    o_result = texel_of(sum);
}
