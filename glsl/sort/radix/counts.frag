// radix: how many keys of a block have each digit. A count is a byte, and a texel the counts of a block.
#include <streams>
#include "sort/radix/digit.glsl"

layout(location = 0) out uvec4 o_counts;

void main() {
    int first = target_index() * BLOCK;
    uvec4 counts = uvec4(0u);
    for (int i = first; i < min(first + BLOCK, keys_len()); i++) {
        int digit = digit_of(keys_at(i));
        counts += uvec4(equal(ivec4(digit >> 2), ivec4(0, 1, 2, 3))) << uint(8 * (digit & 3));
    }
    o_counts = counts;
}
