// The bits of blocks. A block of up to 128 elements lies in one texel of WORDS words; blocks shorter than 32 lie side
// by side in a word; a longer block takes several texels.
#include "common/fetch.glsl"
#include "compact/common/bits.glsl"

uniform usampler2D u_bits;
uniform ivec4 u_bits_shape; // its length is in texels

#define TEXEL_ITEMS (32 * WORDS)

// The bits of the texel that holds an element; for a shorter block only its own bits.
uvec4 bits_around(int index) {
    uvec4 bits = fetch(u_bits, texel_at(index / TEXEL_ITEMS, u_bits_shape), u_bits_shape);
#if BLOCK < 32
    int first = index & 31 & ~(BLOCK - 1);
    bits = uvec4((bits.x >> first) & ((1u << BLOCK) - 1u), 0u, 0u, 0u);
#elif WORDS == 1
    bits.yzw = uvec3(0u);
#elif WORDS == 2
    bits.zw = uvec2(0u); // a channel that a texture lacks may read as 1
#endif
    return bits;
}

int count_of(uvec4 bits) {
#if WORDS == 1
    return bits_in(bits.x);
#else
    return all_bits_in(bits);
#endif
}
