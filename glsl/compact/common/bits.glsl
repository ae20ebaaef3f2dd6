// Counting and finding bits, with nothing newer than GLSL 3.30 and ES 3.00.

int bits_in(uint word) {
    word -= (word >> 1) & 0x55555555u;
    word = (word & 0x33333333u) + ((word >> 2) & 0x33333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0Fu;
    return int((word * 0x01010101u) >> 24);
}

ivec4 bits_in(uvec4 words) {
    words -= (words >> 1) & 0x55555555u;
    words = (words & 0x33333333u) + ((words >> 2) & 0x33333333u);
    words = (words + (words >> 4)) & 0x0F0F0F0Fu;
    return ivec4((words * 0x01010101u) >> 24);
}

// Those in all four words.
int all_bits_in(uvec4 words) {
    ivec4 counts = bits_in(words);
    return counts.x + counts.y + counts.z + counts.w;
}

// The position of the bit with `rank` set bits before it; at least rank + 1 bits must be set. A binary search: the
// counts of halves, quarters ... are the steps of counting all.
int place_of(uint word, int rank) {
    uint pairs = word - ((word >> 1) & 0x55555555u);
    uint fours = (pairs & 0x33333333u) + ((pairs >> 2) & 0x33333333u);
    uint bytes = (fours + (fours >> 4)) & 0x0F0F0F0Fu;
    int place = 0;
    int lower = int((bytes + (bytes >> 8)) & 0xFFu);
    if (rank >= lower) {
        rank -= lower;
        place = 16;
    }
    lower = int((bytes >> place) & 0xFFu);
    if (rank >= lower) {
        rank -= lower;
        place += 8;
    }
    lower = int((fours >> place) & 0xFu);
    if (rank >= lower) {
        rank -= lower;
        place += 4;
    }
    lower = int((pairs >> place) & 0x3u);
    if (rank >= lower) {
        rank -= lower;
        place += 2;
    }
    return place + int(rank >= int((word >> place) & 1u));
}

// The position of the lowest set bit, of which there must be one: the exponent of that power of two.
int lowest_of(uint word) {
    return int(floatBitsToUint(float(word & (~word + 1u))) >> 23) - 127;
}
