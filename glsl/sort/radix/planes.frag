// radix: the digits of 32 keys as planes of bits: bit 0 of each in the first word, bit 1 in the second ...
#include <streams>

uniform int u_shift;

layout(location = 0) out uvec4 o_planes;

void main() {
    int first = target_index() * 32;
    uvec4 planes = uvec4(0u);
    for (int i = 0; i < 32; i += 4) {
        // Places past the last key hold the highest digit, and come out behind all keys.
        uvec4 digits = uvec4(DIGITS - 1);
        int left = keys_len() - first - i;
        if (left > 0) {
            uvec4 keys = fetch(u_keys, texel_in((first + i) / 4, u_keys_shape), u_keys_shape);
            uvec4 found = keys >> uint(u_shift) & uint(DIGITS - 1);
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
