// Total: the sum of each member of the tuples, from the last results, and of an exclusive scan from the last items too.
#include "scan/around/places.glsl"
#include "common/length.glsl"

uniform Sampler u_scanned;
uniform ivec4 u_scanned_shape;
#if EXCLUSIVE
uniform Sampler u_source;
uniform ivec4 u_source_shape;
#endif

#if SEEDED
uniform Sampler u_seed;
uniform ivec4 u_seed_shape;
#endif

layout(location = 0) out Texel o_total;

Item item_in(Sampler stream, int index, ivec4 shape) {
    return item_of(fetch(stream, texel_in(index / SOURCE_ITEMS, shape), shape), index % SOURCE_ITEMS * ITEM_WORDS);
}

void main() {
    int member = int(gl_FragCoord.x);
    int len = items_of(u_scanned_shape, 1);
    Item total = identity();
#if SEEDED
    // Without items the total is the seed.
    total = the_item(fetch(u_seed, texel_in(member, u_seed_shape), u_seed_shape));
#endif
    if (len >= TUPLE) {
        int visit = len - TUPLE + member;
        int index = index_of_visit(visit);
        total = item_in(u_scanned, index, u_scanned_shape);
#if EXCLUSIVE
        total = combine(total, item_in(u_source, index, u_source_shape));
#endif
    }
    o_total = texel_of(total);
}
