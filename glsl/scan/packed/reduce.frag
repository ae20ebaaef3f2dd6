// Reduce: each item written is the sum of a block. A block is BLOCK texels or, with tuples,
// BLOCK tuples, whose members are summed apart. Blocks never cross a row.
#include "scan/packed/texel.glsl"

uniform Sampler u_source;
uniform ivec4 u_source_shape;
uniform ivec4 u_target_shape;

layout(location = 0) out Texel o_sums;

#if TUPLE == 1
Item block_sum(int block) {
    int first = block * BLOCK;
    int items = u_source_shape.w - first * ITEMS;
    if (items >= BLOCK * ITEMS) {
        ivec2 at = texel_at(first, u_source_shape);
        Item sum = sum_of(texelFetch(u_source, at, 0));
        for (int i = 1; i < BLOCK; i++) {
            sum = combine(sum, sum_of(texelFetch(u_source, at + ivec2(i, 0), 0)));
        }
        return sum;
    }
    // The last block: what lies behind the stream's end is not summed.
    Item sum = identity();
    for (int i = 0; i < items; i++) {
        sum = combine(sum, item_at(u_source, first * ITEMS + i, u_source_shape));
    }
    return sum;
}
#else
Item block_sum(int index) {
    int block = index / TUPLE;
    int i = block * BLOCK * TUPLE + index % TUPLE;
    int end = min(i + BLOCK * TUPLE, u_source_shape.w);
    Item sum = identity();
    for (; i < end; i += TUPLE) {
        sum = combine(sum, item_at(u_source, i, u_source_shape));
    }
    return sum;
}
#endif

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * ITEMS;
    Texel sums = Texel(0);
    for (int i = 0; i < ITEMS; i++) {
        put_item(sums, i * ITEM_WORDS, block_sum(first + i));
    }
    o_sums = sums;
}
