// Items in textures, several to a texel, or one in several planes: fetched, and put into texels that are written.
#include "common/item.glsl"
#include "common/fetch.glsl"

#if ITEM_WORDS <= 4
#define ItemSampler Sampler
#define ITEM_PLANES 1
#else
#include "common/planes.glsl"
#define ItemSampler SamplerArray
#define ITEM_PLANES PLANES_OF(ITEM_WORDS)
#endif

// Item `i` of a texel.
Item fetch_item_of(ItemSampler stream, ivec2 texel, int i, ivec4 shape) {
#if ITEM_WORDS <= 4
    return item_of(fetch(stream, texel, shape), i * ITEM_WORDS);
#else
    Words words;
    for (int w = 0; w < ITEM_WORDS; w++) {
        WORD(words, w) = fetch_word(stream, texel, w, shape);
    }
    return item_of_words(words);
#endif
}

// Puts an item into place `i` of a texel.
void put_item_in(inout Texel planes[ITEM_PLANES], int i, Item item) {
#if ITEM_WORDS <= 4
    put_item(planes[0], i * ITEM_WORDS, item);
#else
    Words words = words_of_item(item);
    for (int w = 0; w < ITEM_WORDS; w++) {
        put_word(planes[w / 4], w % 4, WORD(words, w));
    }
#endif
}
