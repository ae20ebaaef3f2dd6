// Unpack: integers of BITS bits, several to a word, the first one in the lowest bits.
#include "common/fetch.glsl"

uniform usampler2D u_words;
uniform ivec4 u_words_shape;
uniform ivec4 u_target_shape;

layout(location = 0) out uvec4 o_items;

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * TARGET_ITEMS;
    uvec4 items = uvec4(0u);
    for (int i = 0; i < TARGET_ITEMS; i++) {
        if (first + i < u_target_shape.w) {
            int bit = (first + i) % (32 / BITS) * BITS, word = (first + i) / (32 / BITS), texel = word / SOURCE_ITEMS;
            uvec4 words = fetch(u_words, texel_in(texel, u_words_shape), u_words_shape);
            items[i] = words[word % SOURCE_ITEMS] >> uint(bit) & ((1u << BITS) - 1u);
        }
    }
    o_items = items;
}
