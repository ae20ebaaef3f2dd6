// Items of a texel each, or of several planes: those that a fragment fetches, and the one that it writes.
#include "common/item_planes.glsl"
#define PLANES ITEM_PLANES
#include "common/target.glsl"

Item fetch_item(ItemSampler stream, ivec2 texel, ivec4 shape) {
    return fetch_item_of(stream, texel, 0, shape);
}

void write_item(Item item) {
    Texel planes[PLANES];
    planes[PLANES - 1] = Texel(0);
    put_item_in(planes, 0, item);
    write_texel(planes);
}
