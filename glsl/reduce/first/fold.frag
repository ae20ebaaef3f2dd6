// Fold: each item is the first of BLOCK texels of values, which lie as far apart as there are items; with tuples, of
// BLOCK values. Neighbouring fragments read neighbouring texels. EACH is the number of values of a texel that are taken.
#include "common/item.glsl"
#include "common/length.glsl"

uniform Sampler u_source;
uniform ivec4 u_source_shape;
uniform ivec4 u_target_shape;

layout(location = 0) out Texel o_items;

Item first_of(int item, int len) {
    Item found = identity();
    for (int i = 0; i < BLOCK; i++) {
        int begin = (item + i * u_target_shape.w) * EACH;
        if (begin < len) {
            Texel values = fetch(u_source, texel_in(begin / SOURCE_ITEMS, u_source_shape), u_source_shape);
            for (int m = 0; m < EACH; m++) {
                if (begin + m < len) {
                    Element value = element_of(values, (begin % SOURCE_ITEMS + m) * ELEMENT_WORDS);
                    found = combine(found, numbered(value, begin + m));
                }
            }
        }
    }
    return found;
}

void main() {
    int len = items_of(u_source_shape, 1);
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * TARGET_ITEMS;
    Texel items = Texel(0);
    for (int i = 0; i < TARGET_ITEMS; i++) {
        if (first + i < u_target_shape.w) {
            put_item(items, i * ITEM_WORDS, first_of(first + i, len));
        }
    }
    o_items = items;
}
