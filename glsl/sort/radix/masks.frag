// radix: which of 128 keys have a digit. All blocks of digit 0 come first, then those of digit 1 ...
#include <streams>

layout(location = 0) out uvec4 o_mask;

void main() {
    int digit = target_index() / BLOCKS;
    int block = target_index() - digit * BLOCKS;
    // A plane's bits are flipped where those of the digit are 0.
    uvec4 flips = (uvec4(digit) >> uvec4(0u, 1u, 2u, 3u) & 1u) - 1u;
    uvec4 mask;
    for (int word = 0; word < 4; word++) {
        uvec4 planes = planes_at((block / STRIPE * 4 + word) * STRIPE + block % STRIPE) ^ flips;
        mask[word] = planes.x & planes.y & planes.z & planes.w;
    }
    o_mask = mask;
}
