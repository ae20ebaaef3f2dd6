// Arrange: the items in the order of their visits, each with a flag where a scan begins (SPLIT).
#define USES_FLAGS 1
#include "scan/option_passes/textures.glsl"
#define PLANES ITEM_PLANES
#include "common/target.glsl"

uniform ValueSampler u_source;
uniform ivec4 u_source_shape;

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * TARGET_ITEMS;
    Texel items[PLANES];
    for (int i = 0; i < PLANES; i++) {
        items[i] = Texel(0);
    }
    for (int i = 0; i < TARGET_ITEMS; i++) {
        int visit = first + i;
        if (visit < u_len) {
            int index = index_of_visit(visit);
            Value value = value_in(u_source, index, SOURCE_ITEMS, u_source_shape);
#if SPLIT
            put_item_in(items, i, Item(value, uint(begins(visit, index))));
#else
            put_item_in(items, i, value);
#endif
        }
    }
    write_texel(items);
}
