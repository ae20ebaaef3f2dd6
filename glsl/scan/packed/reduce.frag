// Reduce: each item written is the sum of a block. A block is BLOCK texels, which never cross a row, or with tuples
// BLOCK tuples, whose members are combined separately. With HEADS, the sum is that of the last scan which begins in a block.
#include "common/source_texels.glsl"
#include "scan/packed/texel.glsl"
#include "common/length.glsl"
#include "scan/common/heads.glsl"

uniform ivec4 u_target_shape;

layout(location = 0) out Texel o_sums;

#if TUPLE == 1
// The first items of a texel combined.
Item sum_of_first(Texel texel, int items) {
    for (int i = 0; i < ITEMS; i++) {
        if (i >= items) {
            put_item(texel, i * ITEM_WORDS, identity());
        }
    }
    return sum_of(texel);
}

Item block_sum(int block) {
    int first = block * BLOCK;
#ifdef EACH
    int items = items_of(u_source_shape, EACH) - first * ITEMS;
#else
    int items = u_source_shape.w - first * ITEMS;
#endif
#ifdef HEADS
    // Items of this level: those before the last beginning do not count.
    int last = min(first * ITEMS + BLOCK * ITEMS, u_source_shape.w) - 1;
    int start = max(start_of_node(last) >> u_node, first * ITEMS);
    Item of_scan = identity();
    for (int i = 0; i < BLOCK && i * ITEMS < items; i++) {
        Texel values = fetch(u_source, texel_at(first + i, u_source_shape), u_source_shape);
        for (int m = 0; m < ITEMS; m++) {
            int index = (first + i) * ITEMS + m;
            if (index >= start && index <= last) {
                of_scan = combine(of_scan, member(values, m));
            }
        }
    }
    return of_scan;
#elif defined(REPEATS) && !defined(RECORDED)
    // As many steps everywhere and no branch, of which a CPU would take both sides. What is past the stream's end does not
    // count; blocks past it repeat the fetches of the last one.
    int last = max(first * ITEMS + items - 1, 0) / (BLOCK * ITEMS);
    ivec2 begin = texel_at(min(block, last) * BLOCK, u_source_shape);
    Item all = sum_of_first(fetch(u_source, begin, u_source_shape), items);
    for (int i = 1; i < BLOCK; i++) {
        Texel values = fetch(u_source, begin + ivec2(i, 0), u_source_shape);
        all = combine(all, sum_of_first(values, items - i * ITEMS));
    }
    return all;
#else
    if (items >= BLOCK * ITEMS) {
        ivec2 at = texel_at(first, u_source_shape);
        Item sum = sum_of(fetch(u_source, at, u_source_shape));
        for (int i = 1; i < BLOCK; i++) {
            sum = combine(sum, sum_of(fetch(u_source, at + ivec2(i, 0), u_source_shape)));
        }
        return sum;
    }
    // The last block: items past the stream's end are not combined.
    Item sum = identity();
    for (int i = 0; i < items; i++) { // at most BLOCK * ITEMS turns
        sum = combine(sum, item_at(u_source, first * ITEMS + i, u_source_shape));
    }
    return sum;
#endif
}
#endif

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * ITEMS;
    Texel result = Texel(0);
#if TUPLE == 1
    for (int i = 0; i < ITEMS; i++) {
        put_item(result, i * ITEM_WORDS, block_sum(first + i));
    }
#else
    // The items of this texel that belong to one block are adjacent in its tuples too: a window.
    Item sums[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        sums[i] = identity();
    }
    for (int block = first / TUPLE; block * TUPLE < first + ITEMS; block++) { // at most ITEMS turns
        int window = first + block * (BLOCK - 1) * TUPLE;
        for (int tuple = 0; tuple < BLOCK && window < u_source_shape.w; tuple++) {
            Texel values = window_at(u_source, window, u_source_shape);
            for (int i = 0; i < ITEMS; i++) {
                if ((first + i) / TUPLE == block && window + i < u_source_shape.w) {
                    sums[i] = combine(sums[i], member(values, i));
                }
            }
            window += TUPLE;
        }
    }
    for (int i = 0; i < ITEMS; i++) {
        put_item(result, i * ITEM_WORDS, sums[i]);
    }
#endif
    o_sums = result;
}
