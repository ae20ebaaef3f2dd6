// radix: each place finds its key, and what is moved with it. The starts tell the mask that holds the place, and the bits of
// the mask the key; the places of a texel go from bit to bit.
#include <streams>
#include "compact/common/bits.glsl"
#include "sort/radix/search.glsl"

layout(location = 0) out uvec4 o_keys;
#if PAYLOADS > 0
layout(location = 1) out uvec4 o_first;
#endif
#if PAYLOADS > 1
layout(location = 2) out uvec4 o_second;
#endif
#if PAYLOADS > 2
layout(location = 3) out uvec4 o_third;
#endif

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

void main() {
    uvec4 keys = uvec4(0u);
    uvec4 first = uvec4(0u);
    uvec4 second = uvec4(0u);
    uvec4 third = uvec4(0u);
    int place = target_index();
    int span = place / SPAN;
    int high = span + 1 < marks_len() ? int(marks_at(span + 1)) + 1 : starts_len();
    Found found = find_mask(place, int(marks_at(span)), high);
    uvec4 mask = without(masks_at(found.mask), place - found.start);
    int first_key = found.mask % BLOCKS * 128;
    for (int i = 0; i < 4 && place < target_len(); i++, place++) {
        if (place == found.end) {
            found = mask_after(found, high);
            mask = masks_at(found.mask);
            first_key = found.mask % BLOCKS * 128;
        }
        int from = first_key + take_lowest(mask);
        keys[i] = keys_at(from);
#if PAYLOADS > 0
        first[i] = first_at(from);
#endif
#if PAYLOADS > 1
        second[i] = second_at(from);
#endif
#if PAYLOADS > 2
        third[i] = third_at(from);
#endif
    }
    o_keys = keys;
#if PAYLOADS > 0
    o_first = first;
#endif
#if PAYLOADS > 1
    o_second = second;
#endif
#if PAYLOADS > 2
    o_third = third;
#endif
}
