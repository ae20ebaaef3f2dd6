// Arrange: the items in the order of their visits, each with a flag where a scan begins (SPLIT).
#define USES_FLAGS 1
#include "scan/around/textures.glsl"

layout(location = 0) out Texel o_items;

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * TARGET_ITEMS;
    Texel items = Texel(0);
    for (int i = 0; i < TARGET_ITEMS; i++) {
        int visit = first + i;
        if (visit < u_len) {
            int index = index_of_visit(visit);
            Texel texel = fetch(u_source, texel_in(index / SOURCE_ITEMS, u_source_shape), u_source_shape);
            Value value = value_of(texel, index % SOURCE_ITEMS * VALUE_WORDS);
#if SPLIT
            put_item(items, i * ITEM_WORDS, Item(value, begins(visit, index)));
#else
            put_item(items, i * ITEM_WORDS, value);
#endif
        }
    }
    o_items = items;
}
