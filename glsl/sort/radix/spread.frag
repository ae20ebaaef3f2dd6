// radix: the counts of blocks as numbers, those of one digit side by side: all blocks of digit 0, then those of digit 1 ...
#include <streams>
#include "sort/radix/digit.glsl"

layout(location = 0) out uvec4 o_numbers;

void main() {
    uvec4 numbers = uvec4(0u);
    for (int i = 0; i < 4; i++) {
        int number = target_index() + i;
        int digit = number / BLOCKS;
        int last = min((number - digit * BLOCKS) * 16 + 15, counts_len() - 1);
        numbers[i] = uint(count_of(before_at(last), digit) + count_of(counts_at(last), digit));
    }
    o_numbers = numbers;
}
