// radix: the digits of 32 keys as planes of bits: bit 0 of each in the first word, bit 1 in the second ... The first 32 keys of
// each block in a stripe come first, then the second ones, so that the masks of neighbouring blocks read side by side.
#include <streams>

uniform int u_shift;

layout(location = 0) out uvec4 o_planes;

// The four keys of a texel, or of the pairs in a texel of each stream.
uvec4 keys_of(int texel) {
#if FROM_PAIRS
    ivec2 at = texel_at(texel, u_even_pairs_shape);
    uvec2 even = fetch(u_even_pairs, at, u_even_pairs_shape).xz;
    uvec2 odd = fetch(u_odd_pairs, at, u_odd_pairs_shape).xz;
    return uvec4(even.x, odd.x, even.y, odd.y);
#else
    return fetch(u_keys, texel_in(texel, u_keys_shape), u_keys_shape);
#endif
}

void main() {
    int quarter = target_index() / STRIPE;
    int first = (quarter / 4 * STRIPE + target_index() - quarter * STRIPE) * 128 + quarter % 4 * 32;
    uvec4 planes = uvec4(0u);
    for (int i = 0; i < 32; i += 4) {
        // Places past the last key hold the highest digit, and come out behind all keys.
        uvec4 digits = uvec4(DIGITS - 1);
        int left = LEN - first - i;
        if (left > 0) {
            uvec4 found = keys_of((first + i) / 4) >> uint(u_shift) & uint(DIGITS - 1);
            digits = uvec4(
                found.x, left > 1 ? found.y : digits.y, left > 2 ? found.z : digits.z, left > 3 ? found.w : digits.w);
        }
        for (int bit = 0; bit < BITS; bit++) {
            uvec4 bits = digits >> uint(bit) & 1u;
            planes[bit] |= (bits.x | bits.y << 1 | bits.z << 2 | bits.w << 3) << uint(i);
        }
    }
    o_planes = planes;
}
