// Items of a texel each, or of several planes: those that a fragment fetches, and the one that it writes.
#include "common/item.glsl"
#include "common/fetch.glsl"

#if ITEM_WORDS <= 4
#define ItemSampler Sampler
#define PLANES 1
#else
#include "common/planes.glsl"
#define ItemSampler SamplerArray
#define PLANES PLANES_OF(ITEM_WORDS)
#endif
#include "common/target.glsl"

Item fetch_item(ItemSampler stream, ivec2 texel, ivec4 shape) {
#if ITEM_WORDS <= 4
    return the_item(fetch(stream, texel, shape));
#else
    Words words;
    for (int i = 0; i < ITEM_WORDS; i++) {
        WORD(words, i) = fetch_word(stream, texel, i, shape);
    }
    return item_of_words(words);
#endif
}

void write_item(Item item) {
    Texel planes[PLANES];
#if ITEM_WORDS <= 4
    planes[0] = texel_of(item);
#else
    planes[PLANES - 1] = Texel(0);
    Words words = words_of_item(item);
    for (int i = 0; i < ITEM_WORDS; i++) {
        put_word(planes[i / 4], i % 4, WORD(words, i));
    }
#endif
    write_texel(planes);
}
