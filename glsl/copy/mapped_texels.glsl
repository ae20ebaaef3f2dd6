// The stream of a draw over a map of other streams: its texels, of MAPPED_ITEMS items, are computed from these, not
// fetched.
#include "common/planes.glsl"
#include <streams>
#include "copy/map.glsl"

struct Mapped { int unused; };
const Mapped u_source = Mapped(0);
uniform ivec4 u_source_shape;

// The shader's own stream is no sampler.
#undef Sampler
#define Sampler Mapped

Texel fetch(Mapped stream, ivec2 texel, ivec4 shape) {
    Texel items = Texel(0);
    int first = index_of(texel, shape) * MAPPED_ITEMS;
    for (int i = 0; i < MAPPED_ITEMS; i++) {
        uint item[TO];
        map_item(first + i, item);
        for (int w = 0; w < TO; w++) {
            put_word(items, i * TO + w, item[w]);
        }
    }
    return items;
}
