// radix: how many keys of a group of 16, which are four texels, have each digit.
#include <streams>
#include "sort/radix/digit.glsl"

layout(location = 0) out uvec4 o_counts;

void main() {
    uvec4 counts = uvec4(0u);
    for (int i = 0; i < 4; i++) {
        int texel = target_index() * 4 + i;
        int keys = keys_len() - 4 * texel; // in this texel, and behind it
        if (keys <= 0) {
            break;
        }
        ivec4 digits = digits_of(fetch(u_keys, texel_in(texel, u_keys_shape), u_keys_shape));
        for (int c = 0; c < 4; c++) {
            uvec4 one = uvec4(equal(ivec4(digits[c] >> 2), ivec4(0, 1, 2, 3)));
            counts += c < keys ? one << uint(8 * (digits[c] & 3)) : uvec4(0u);
        }
    }
    o_counts = counts;
}
