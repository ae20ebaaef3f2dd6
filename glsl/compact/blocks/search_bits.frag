// Binary search in the bits of a block: position i of the block finds the element j that has i kept elements before it.
// A texel holds the bits of a block, so one fetch serves all steps; for blocks of several texels, the texel is found
// first.
//
// Fixed length: the word, then its half, quarter ... down to the bit. IMPROVED: roger2007, figure 5, with the
// running count taken from the bits.
//
// DRAWN: the texel is one of a segment, and its place in the compacted blocks lies as far to its right as there are
// unwanted elements before its block.
#include "compact/blocks/block_bits.glsl"
#include "compact/common/move.glsl"

uniform ivec4 u_target_shape;
uniform int u_len; // elements of the stream

#if DRAWN
flat in uint v_way;
#endif

// The unwanted elements up to and including j, among those of a texel of bits.
int unwanted_up_to(uvec4 bits, int j) {
    ivec4 counts = clamp(j + 1 - ivec4(0, 32, 64, 96), 0, 32);
    uvec4 up_to = (uvec4(2u) << max(counts - 1, 0)) - 1u;
    return j + 1 - count_of(bits & up_to * uvec4(greaterThan(counts, ivec4(0))));
}

// Returns true if the element of bit j is kept.
bool is_set(uvec4 bits, int j) {
    uint word = j < 32 ? bits.x : j < 64 ? bits.y : j < 96 ? bits.z : bits.w;
    return ((word >> (j & 31)) & 1u) != 0u;
}

// The element that moves to a position; -1 if fewer are kept.
int element_for(int place) {
    if (place >= u_len) {
        return -1;
    }
    int block = place & ~(BLOCK - 1);
    int first = block;
    int i = place - block;
    uvec4 bits = bits_around(first);
    int count = count_of(bits);
#if BLOCK > TEXEL_ITEMS
    int end = min(block + BLOCK, u_len);
    while (i >= count && first + TEXEL_ITEMS < end) { // at most BLOCK / TEXEL_ITEMS turns
        i -= count;
        first += TEXEL_ITEMS;
        bits = bits_around(first);
        count = count_of(bits);
    }
#endif
    if (i >= count) {
        return -1;
    }

#if IMPROVED
    const int SIZE = BLOCK < TEXEL_ITEMS ? BLOCK : TEXEL_ITEMS;
    int lower = i + unwanted_up_to(bits, i);
    int upper = i + SIZE - count;
    int j = (lower + upper) / 2;
    int found = j - unwanted_up_to(bits, j) - i;
    while (found != 0 || !is_set(bits, j)) { // at most 8 turns: each halves what is left
        if (found < 0) {
            lower = j - found;
        } else {
            upper = j - max(1, found);
        }
        j = (lower + upper) / 2;
        found = j - unwanted_up_to(bits, j) - i;
    }
#else
    int j = 0;
    uint word = bits.x;
#if WORDS > 1
    ivec4 counts = bits_in(bits);
#if WORDS > 2
    if (i >= counts.x + counts.y) {
        i -= counts.x + counts.y;
        bits.xy = bits.zw;
        counts.xy = counts.zw;
        j = 64;
        word = bits.x;
    }
#endif
    if (i >= counts.x) {
        i -= counts.x;
        word = bits.y;
        j += 32;
    }
#endif
    j += place_of(word, i);
#endif
#if BLOCK < 32
    return block + j;
#else
    return first + j;
#endif
}

void main() {
    int place = index_of(ivec2(gl_FragCoord.xy), u_target_shape);
#if DRAWN
    place += int(v_way);
#endif
    int element = element_for(place);
    if (element >= 0) {
        move_from(element);
    } else {
        discard;
    }
}
