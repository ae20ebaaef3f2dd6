// Items of WORDS words in textures of any width.
#include <element>
#include "common/fetch.glsl"

uniform Sampler u_stream;
uniform ivec4 u_stream_shape;
uniform ivec4 u_target_shape;
#if COUNTED_RESULTS
uniform usampler2D u_count;
uniform ivec4 u_count_shape;
#endif

// The results that are written.
int results() {
#if COUNTED_RESULTS
    return int(min(fetch(u_count, ivec2(0), u_count_shape).x, uint(u_target_shape.w)));
#else
    return u_target_shape.w;
#endif
}

// Copies item `index` of a texture to place `i` of a texel.
void copy_item(inout Texel texel, int i, Sampler source, int index, ivec4 shape) {
    Texel from = fetch(source, texel_in(index / SOURCE_ITEMS, shape), shape);
    for (int w = 0; w < WORDS; w++) {
        texel[i * WORDS + w] = from[index % SOURCE_ITEMS * WORDS + w];
    }
}
