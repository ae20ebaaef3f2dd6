// The keys that belong to the four places of a texel. The starts tell the mask that holds a place, and the bits of the mask the
// key; the places go from bit to bit.
#include "compact/common/bits.glsl"
#include "sort/radix/search.glsl"

// Clears the lowest bits of a mask, `count` of them, with more than that set.
uvec4 without(uvec4 mask, int count) {
    ivec4 counts = bits_in(mask);
    int half_count = counts.x + counts.y;
    bool upper = count >= half_count;
    count -= upper ? half_count : 0;
    int in_word = upper ? counts.z : counts.x;
    bool second = count >= in_word;
    count -= second ? in_word : 0;
    uint word = second ? (upper ? mask.w : mask.y) : (upper ? mask.z : mask.x);
    word &= ~0u << uint(place_of(word, count));
    if (upper) {
        return second ? uvec4(0u, 0u, 0u, word) : uvec4(0u, 0u, word, mask.w);
    }
    return second ? uvec4(0u, word, mask.zw) : uvec4(word, mask.yzw);
}

// The position of the lowest bit of a mask, which is cleared.
int take_lowest(inout uvec4 mask) {
    bool upper = (mask.x | mask.y) == 0u;
    uvec2 words = upper ? mask.zw : mask.xy;
    bool second = words.x == 0u;
    uint word = second ? words.y : words.x;
    uint rest = word & (word - 1u);
    words = second ? uvec2(0u, rest) : uvec2(rest, words.y);
    mask = upper ? uvec4(0u, 0u, words) : uvec4(words, mask.zw);
    return (upper ? 64 : 0) + (second ? 32 : 0) + lowest_of(word);
}

// The indices of the keys of `place` and the next ones; -1 past the last of `len` places.
ivec4 find_keys(int place, int len) {
    ivec4 from = ivec4(-1);
    if (place >= len) {
        return from;
    }
    int span = place / SPAN;
    int high = span + 1 < marks_len() ? int(marks_at(span + 1)) + 1 : starts_len();
    Found found = find_mask(place, int(marks_at(span)), high);
    uvec4 mask = without(masks_at(found.mask), place - found.start);
    int first = found.mask % BLOCKS * 128;
    for (int i = 0; i < 4; i++) {
        if (place >= len) {
            break;
        }
        if (place == found.end) {
            found = mask_after(found, high);
            mask = masks_at(found.mask);
            first = found.mask % BLOCKS * 128;
        }
        from[i] = first + take_lowest(mask);
        place++;
    }
    return from;
}
