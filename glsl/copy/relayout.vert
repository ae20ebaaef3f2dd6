// A stream from a texture, or a rectangle of one, into a buffer: a vertex for each element, captured as its words.
#include "common/fetch.glsl"
#include <element>

// SOURCE_ELEMENTS is elements in a texel.
uniform Sampler u_source;
uniform ivec4 u_source_shape;
uniform ivec2 u_origin; // the rectangle's first texel
uniform int u_columns; // the rectangle's width, in texels

#if ELEMENT_WORDS == 2
flat out uvec2 v_words;
#else
flat out uint v_words;
#endif

void main() {
    int texel = gl_VertexID / SOURCE_ELEMENTS;
    ivec2 at = u_origin + ivec2(texel % u_columns, texel / u_columns);
    Texel found = fetch(u_source, at, u_source_shape);
    uvec2 bits = bits_of_element(element_of(found, gl_VertexID % SOURCE_ELEMENTS * ELEMENT_WORDS));
#if ELEMENT_WORDS == 2
    v_words = bits;
#else
    v_words = bits.x;
#endif
    gl_Position = vec4(0.0);
}
