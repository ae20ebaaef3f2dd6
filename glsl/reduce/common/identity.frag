// The result for an empty stream, in every item of a texel.
#include "common/item_planes.glsl"
#define PLANES ITEM_PLANES
#include "common/target.glsl"

void main() {
    Texel planes[PLANES];
    planes[PLANES - 1] = Texel(0);
    for (int i = 0; i < ITEMS; i++) {
        put_item_in(planes, i, identity());
    }
    write_texel(planes);
}
