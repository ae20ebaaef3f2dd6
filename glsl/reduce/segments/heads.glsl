// The items that begin segments, as bits of words.
#include "scan/common/highest_bit.glsl"

// The heads in a word of flags: the first item of the stream is one, whatever its flag is, and none is past the end.
uint heads_of(uint flags, int word, int len) {
    if (word == 0) {
        flags |= 1u;
    }
    int left = len - word * 32;
    return left >= 32 ? flags : flags & ((1u << uint(left)) - 1u);
}

uint count_of(uint bits) {
    bits -= bits >> 1 & 0x55555555u;
    bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
    return (bits + (bits >> 4) & 0x0F0F0F0Fu) * 0x01010101u >> 24;
}

// The position of bit number `rank` among those that are set, counted from the lowest.
int position_of(uint bits, uint rank) {
    for (uint i = 0u; i < rank; i++) { // at most 31 turns
        bits &= bits - 1u;
    }
    return highest_bit(bits & (~bits + 1u));
}
