// Down-sweep: each item is the sum of the blocks before its own, which one fetch gives, the items before it in its
// block, and (inclusive) itself. The top level is a single block. With HEADS, nothing counts from before the scan that an
// item belongs to.
#include "scan/packed/texel.glsl"
#include "scan/common/heads.glsl"

uniform Sampler u_values; // this level, not yet scanned
uniform ivec4 u_values_shape;
#if SUMS
uniform Sampler u_sums; // the blocks' sums: scanned, or with ADDED not
uniform ivec4 u_sums_shape;
#endif
#if ADDED && ABOVE
uniform Sampler u_above; // the sums of blocks of ADDED texels of u_sums, scanned
uniform ivec4 u_above_shape;
#endif

layout(location = 0) out Texel o_result;

// The sum before a block; with tuples, `index` is a member of the block's first tuple.
Item sum_before(int block, int index) {
    Item sum = identity();
#if ADDED
    int texel = block / ITEMS;
#if ABOVE
    int begin = texel - texel % ADDED;
    if (begin > 0) {
        sum = item_at(u_above, begin / ADDED - 1, u_above_shape);
    }
#else
    int begin = 0;
#endif
    for (int i = begin; i < texel; i++) { // at most ADDED turns
        sum = combine(sum, sum_of(fetch(u_sums, texel_at(i, u_sums_shape), u_sums_shape)));
    }
    int items = block % ITEMS;
    if (items > 0) {
        Texel last = fetch(u_sums, texel_at(texel, u_sums_shape), u_sums_shape);
        for (int i = 0; i < ITEMS - 1; i++) {
            if (i < items) {
                sum = combine(sum, member(last, i));
            }
        }
    }
#elif SUMS
    if (block > 0) {
        sum = item_at(u_sums, (block - 1) * TUPLE + index, u_sums_shape);
    }
#endif
    return sum;
}

#ifdef HEADS
// Where the scans of a texel's items begin, as items of this level.
ivec4 starts_of(int first) {
    ivec4 starts = ivec4(0);
#if FLAGGED && LEAVES
    // They lie in one texel of the table.
    uvec4 heads = heads_of(min(first, u_items - 1));
    for (int i = 0; i < ITEMS; i++) {
        starts[i] = start_by(heads, min(first + i, u_items - 1));
    }
#else
    for (int i = 0; i < ITEMS; i++) {
        starts[i] = start_of_node(first + i) >> u_node;
    }
#endif
    return starts;
}
#endif

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int texel = index_of(here, u_values_shape);
    Texel values = fetch(u_values, here, u_values_shape);
    Texel result = Texel(0);

#ifdef HEADS
    int block = texel / BLOCK;
    ivec4 starts = starts_of(texel * ITEMS);
    Item sum = sum_before(block, 0);
    if (starts[0] >= block * BLOCK * ITEMS) {
        sum = identity();
    }
    for (int before = texel % BLOCK; before > 0; before--) { // at most BLOCK turns
        Texel left = fetch(u_values, here - ivec2(before, 0), u_values_shape);
        for (int i = 0; i < ITEMS; i++) {
            if ((texel - before) * ITEMS + i >= starts[0]) {
                sum = combine(sum, member(left, i));
            }
        }
    }
    for (int i = 0; i < ITEMS; i++) {
        if (starts[i] >= texel * ITEMS + i) {
            sum = identity();
        }
        Item next = combine(sum, member(values, i));
#if EXCLUSIVE
        put_item(result, i * ITEM_WORDS, sum);
#else
        put_item(result, i * ITEM_WORDS, next);
#endif
        sum = next;
    }
#elif TUPLE == 1
    int block = texel / BLOCK;
    Item sum = sum_before(block, 0);
#if defined(REPEATS) && !defined(RECORDED)
    // As many steps everywhere, which a compiler unrolls; those past the block's first texel repeat its fetch.
    int place = texel % BLOCK;
    for (int before = BLOCK - 1; before > 0; before--) {
        Texel left = fetch(u_values, here - ivec2(min(before, place), 0), u_values_shape);
        Item more = combine(sum, sum_of(left));
        if (before <= place) {
            sum = more;
        }
    }
#else
    for (int before = texel % BLOCK; before > 0; before--) { // at most BLOCK turns
        sum = combine(sum, sum_of(fetch(u_values, here - ivec2(before, 0), u_values_shape)));
    }
#endif
    for (int i = 0; i < ITEMS; i++) {
        Item next = combine(sum, member(values, i));
#if EXCLUSIVE
        put_item(result, i * ITEM_WORDS, sum);
#else
        put_item(result, i * ITEM_WORDS, next);
#endif
        sum = next;
    }
#else
    // Members at one position in the tuple are TUPLE items apart, so the items before those of this texel form, tuple
    // by tuple, a window as wide as a texel. Items of the next block, if the texel has any, continue from this one.
    int first = texel * ITEMS;
    int block = first / (TUPLE * BLOCK);
    int start = block * TUPLE * BLOCK;
    Item sums[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        sums[i] = sum_before(block, (first + i) % TUPLE);
    }
    // The leftmost window may reach into the block with only its last items.
    int window = start + (first - start) % TUPLE - TUPLE;
    if (window + ITEMS <= start) {
        window += TUPLE;
    }
    for (; window < first; window += TUPLE) { // at most BLOCK + 1 turns
        Texel before = window_at(u_values, window, u_values_shape);
        for (int i = 0; i < ITEMS; i++) {
            if (window + i >= start) {
                sums[i] = combine(sums[i], member(before, i));
            }
        }
    }
    for (int i = 0; i < ITEMS; i++) {
#if !EXCLUSIVE
        sums[i] = combine(sums[i], member(values, i));
#endif
        put_item(result, i * ITEM_WORDS, sums[i]);
    }
#endif
    o_result = result;
}
