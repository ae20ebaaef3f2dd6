// Total: the sum of each member of the tuples, from the last results, and of an exclusive scan from the last items too.
#define USES_FLAGS 0
#include "scan/option_passes/textures.glsl"
#include "common/length.glsl"
#define PLANES ITEM_PLANES
#include "common/target.glsl"

uniform ItemSampler u_scanned;
uniform ivec4 u_scanned_shape;
#if EXCLUSIVE
uniform ItemSampler u_source;
uniform ivec4 u_source_shape;
#endif
#if SEEDED
uniform ItemSampler u_seed;
uniform ivec4 u_seed_shape;
#endif

void main() {
    int member = int(gl_FragCoord.x);
    int len = items_of(u_scanned_shape, 1);
    Item total = identity();
#if SEEDED
    // Without items the total is the seed.
    total = item_in(u_seed, member, 1, u_seed_shape);
#endif
    if (len >= TUPLE) {
        int index = index_of_visit(len - TUPLE + member);
        total = item_in(u_scanned, index, SOURCE_ITEMS, u_scanned_shape);
#if EXCLUSIVE
        total = combine(total, item_in(u_source, index, SOURCE_ITEMS, u_source_shape));
#endif
    }
    Texel planes[PLANES];
    planes[PLANES - 1] = Texel(0);
    put_item_in(planes, 0, total);
    write_texel(planes);
}
