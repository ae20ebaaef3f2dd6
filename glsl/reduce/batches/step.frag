// Step: each item combines up to STEP neighbours of a row or column, whose items lie u_inner apart.
#include "common/item_planes.glsl"
#define PLANES ITEM_PLANES
#include "common/target.glsl"

uniform ItemSampler u_source;
uniform ivec4 u_source_shape;
uniform ivec4 u_target_shape;
uniform int u_len; // items in a row or column
uniform int u_next; // the same in the target
uniform int u_inner; // rows or columns side by side

#if SOURCE_ITEMS > 1
// The texel that was fetched last, and its number: neighbours lie in it, too.
Texel t_texel = Texel(0);
int t_number = -1;
#endif

Item source_item(int index) {
    int number = index / SOURCE_ITEMS;
#if SOURCE_ITEMS > 1
    if (number != t_number) {
        t_texel = fetch(u_source, texel_in(number, u_source_shape), u_source_shape);
        t_number = number;
    }
    return item_of(t_texel, index % SOURCE_ITEMS * ITEM_WORDS);
#else
    return fetch_item_of(u_source, texel_in(number, u_source_shape), 0, u_source_shape);
#endif
}

// The sum of a block; of an empty row or column the identity.
Item sum_of(int place) {
    int inner = place % u_inner, block = place / u_inner;
    int outer = block / u_next, begin = block % u_next * STEP;
    int end = min(begin + STEP, u_len);
    Item sum = identity();
    for (int i = begin; i < end; i++) { // at most STEP turns
        Item item = source_item((outer * u_len + i) * u_inner + inner);
        if (i == begin) {
            sum = item;
        } else {
            sum = combine(sum, item);
        }
    }
    return sum;
}

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * TARGET_ITEMS;
    Texel items[PLANES];
    for (int i = 0; i < PLANES; i++) {
        items[i] = Texel(0);
    }
    for (int i = 0; i < TARGET_ITEMS; i++) {
        if (first + i < u_target_shape.w) {
            put_item_in(items, i, sum_of(first + i));
        }
    }
    write_texel(items);
}
