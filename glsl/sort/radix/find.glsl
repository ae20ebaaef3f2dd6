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

uvec4 t_mask = uvec4(0u); // the keys of a mask that no place has taken
int t_number = 0; // of the mask

// Searches the mask of a place between the marks around it, and enters it.
Found enter_mask(int place) {
    int mark = place / SPAN;
    int high = mark + 1 < marks_len() ? int(marks_at(mark + 1)) + 1 : starts_len();
    Found found = find_mask(place, int(marks_at(mark)), high);
    t_number = found.mask;
    t_mask = masks_at(t_number);
    return found;
}

// The index of the next key of the mask.
int take_key() {
    return t_number % BLOCKS * 128 + take_lowest(t_mask);
}

// The index of the key of a place; places follow each other. After the last key of a mask comes the first of the next one that
// is not empty: most often the one behind it.
int next_key(int place) {
    if (t_mask == uvec4(0u)) {
        t_number++;
        t_mask = masks_at(t_number);
        if (t_mask == uvec4(0u)) {
            enter_mask(place);
        }
    }
    return take_key();
}

// The indices of the keys of `place` and the next three; -1 past the last of `len` places. No loop: NVIDIA does not unroll it.
ivec4 find_keys(int place, int len) {
    ivec4 from = ivec4(-1);
    if (place < len) {
        Found found = enter_mask(place);
        t_mask = without(t_mask, place - found.start);
        from.x = take_key();
        if (place + 1 < len) {
            from.y = next_key(place + 1);
        }
        if (place + 2 < len) {
            from.z = next_key(place + 2);
        }
        if (place + 3 < len) {
            from.w = next_key(place + 3);
        }
    }
    return from;
}
