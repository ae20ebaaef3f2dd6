// The items of a packed texel, four words wide: 4, 2 or 1 items.
#include "common/item.glsl"
#include "common/fetch.glsl"

#define ITEMS (4 / ITEM_WORDS)

Item member(Texel texel, int index) {
    return item_of(texel, index * ITEM_WORDS);
}

// All items of a texel combined, as a balanced tree.
Item sum_of(Texel texel) {
#if ITEMS == 4
    return combine(
        combine(member(texel, 0), member(texel, 1)),
        combine(member(texel, 2), member(texel, 3)));
#elif ITEMS == 2
    return combine(member(texel, 0), member(texel, 1));
#else
    return member(texel, 0);
#endif
}

// The item at an index of a packed stream.
Item item_at(Sampler stream, int index, ivec4 shape) {
    return member(fetch(stream, texel_at(index / ITEMS, shape), shape), index % ITEMS);
}

// The items from an index on, as many as a texel holds; the index need not be a texel's first.
Texel window_at(Sampler stream, int index, ivec4 shape) {
    int texel = max(index, 0) / ITEMS;
    int skip = index - texel * ITEMS;
    Texel low = fetch(stream, texel_at(texel, shape), shape);
    if (skip == 0) {
        return low;
    }
    // Positions before the stream, or past its last texel, are not read.
    int next = min(index < 0 ? 0 : texel + 1, (shape.w - 1) / ITEMS);
    Texel high = fetch(stream, texel_at(next, shape), shape);
    Texel window = Texel(0);
    for (int i = 0; i < ITEMS; i++) {
        int place = skip + i;
        if (place >= ITEMS) {
            put_item(window, i * ITEM_WORDS, member(high, place - ITEMS));
        } else if (place >= 0) {
            put_item(window, i * ITEM_WORDS, member(low, place));
        }
    }
    return window;
}
