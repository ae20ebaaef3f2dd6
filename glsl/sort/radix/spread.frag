// radix: the counts as numbers, those of one digit side by side: all blocks of digit 0, then those of digit 1 ...
#include <streams>

layout(location = 0) out uvec4 o_numbers;

void main() {
    uvec4 numbers = uvec4(0u);
    for (int i = 0; i < 4; i++) {
        int number = target_index() + i;
        int digit = number / BLOCKS;
        uvec4 counts = counts_at(number - digit * BLOCKS);
        numbers[i] = counts[digit >> 2 & 3] >> uint(8 * (digit & 3)) & 255u;
    }
    o_numbers = numbers;
}
