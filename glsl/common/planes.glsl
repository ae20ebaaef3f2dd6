// Items of more than four words in textures: four words in each of several planes, which are the layers of an array.
#include <element>
#include "common/fetch.glsl"

#define PLANES_OF(words) (((words) + 3) / 4)

uint word_of(Texel texel, int channel) {
#if ELEMENT_WORDS == 2
    return texel[channel];
#else
    return bits_of_element(element_of(texel, channel)).x;
#endif
}

void put_word(inout Texel texel, int channel, uint word) {
#if ELEMENT_WORDS == 2
    texel[channel] = word;
#else
    put_element(texel, channel, element_of_bits(uvec2(word, 0u)));
#endif
}

// A word of the item in a texel. A recorded run records the fetch of the first one.
uint fetch_word(SamplerArray stream, ivec2 texel, int word, ivec4 shape) {
    if (word == 0) {
        RECORD_READ(index_of(texel, shape), shape);
    }
    return word_of(texelFetch(stream, ivec3(texel, word / 4), 0), word % 4);
}
