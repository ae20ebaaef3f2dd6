// A stream in another layout: each texel of the target takes its elements from the source, in their order. The source is
// a whole texture, a rectangle of one, or a buffer.
#include "common/fetch.glsl"
#include <element>

// SOURCE_ELEMENTS and TARGET_ELEMENTS are elements in a texel.
#if FROM_BUFFER
uniform usamplerBuffer u_source;
#else
uniform Sampler u_source;
#endif
uniform ivec4 u_source_shape;
uniform ivec4 u_target_shape;
uniform ivec2 u_origin; // the rectangle's first texel
uniform int u_columns; // the rectangle's width, in texels
uniform int u_elements; // in the stream

layout(location = 0) out Texel o_texel;

#if FROM_BUFFER
Element source_element(int index) {
    int item = index / SOURCE_ELEMENTS;
    RECORD_READ(item, u_source_shape);
    uvec4 words = texelFetch(u_source, item);
    int word = index % SOURCE_ELEMENTS * ELEMENT_WORDS;
#if ELEMENT_WORDS == 2
    return element_of_bits(uvec2(words[word], words[word + 1]));
#else
    return element_of_bits(uvec2(words[word], 0u));
#endif
}
#else
Element source_element(int index) {
    int texel = index / SOURCE_ELEMENTS;
    ivec2 at = u_origin + ivec2(texel % u_columns, texel / u_columns);
    return element_of(fetch(u_source, at, u_source_shape), index % SOURCE_ELEMENTS * ELEMENT_WORDS);
}
#endif

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * TARGET_ELEMENTS;
    Texel texel = Texel(0);
    for (int element = 0; element < TARGET_ELEMENTS; element++) {
        if (first + element < u_elements) {
            put_element(texel, element * ELEMENT_WORDS, source_element(first + element));
        }
    }
    o_texel = texel;
}
