// The items of a packed texel, four words wide whatever they are: 4, 2 or 1 items.
#include "common/item.glsl"
#include "common/stream.glsl"

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
    return member(texelFetch(stream, texel_at(index / ITEMS, shape), 0), index % ITEMS);
}
