// Items, values and flags in textures of any width. An item of more than four words has a texel, in several planes.
#include "scan/option_passes/places.glsl"
#include "common/item_planes.glsl"

#if VALUE_WORDS <= 4
#define ValueSampler Sampler
#define VALUE_PLANES 1
#else
#define ValueSampler SamplerArray
#define VALUE_PLANES PLANES_OF(VALUE_WORDS)
#endif

uniform ivec4 u_target_shape;
#if FLAGGED && USES_FLAGS
uniform usampler2D u_flags;
uniform ivec4 u_flags_shape;
#endif

// Item `index` of a stream with `items` in a texel.
Item item_in(ItemSampler stream, int index, int items, ivec4 shape) {
    return fetch_item_of(stream, texel_in(index / items, shape), index % items, shape);
}

// The same for values.
Value value_in(ValueSampler stream, int index, int items, ivec4 shape) {
    ivec2 texel = texel_in(index / items, shape);
#if VALUE_WORDS <= 4
    return value_of(fetch(stream, texel, shape), index % items * VALUE_WORDS);
#else
    ValueWords words;
    for (int i = 0; i < VALUE_WORDS; i++) {
        VALUE_WORD(words, i) = fetch_word(stream, texel, i, shape);
    }
    return value_of_words(words);
#endif
}

// Puts a value into place `i` of a texel.
void put_value_in(inout Texel planes[VALUE_PLANES], int i, Value value) {
#if VALUE_WORDS <= 4
    put_value(planes[0], i * VALUE_WORDS, value);
#else
    ValueWords words = words_of_value(value);
    for (int w = 0; w < VALUE_WORDS; w++) {
        put_word(planes[w / 4], w % 4, VALUE_WORD(words, w));
    }
#endif
}

#if FLAGGED
bool flag_at(int index) {
#if USES_FLAGS
    uint word = fetch(u_flags, texel_in(index >> 5, u_flags_shape), u_flags_shape).x;
    return (word >> uint(index & 31) & 1u) != 0u;
#else
    return false;
#endif
}
#endif
