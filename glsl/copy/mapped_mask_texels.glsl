// The mask of a draw that is a map of other streams: its texels, of MAPPED_ITEMS items, are computed from these, not
// fetched.
#include "common/fetch.glsl"
#include <streams>
#include "copy/map.glsl"

struct Mapped { int unused; };
const Mapped u_mask = Mapped(0);
uniform ivec4 u_mask_shape;

uvec4 fetch(Mapped stream, ivec2 texel, ivec4 shape) {
    uvec4 items = uvec4(0u);
    int first = index_of(texel, shape) * MAPPED_ITEMS;
    for (int i = 0; i < MAPPED_ITEMS; i++) {
        uint item[TO];
        map_item(first + i, item);
        items[i] = item[0];
    }
    return items;
}
