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
    for (int word = 0; word < 4; word++) {
        if (count >= counts[word]) {
            count -= counts[word];
            mask[word] = 0u;
        } else {
            mask[word] &= ~0u << uint(place_of(mask[word], count));
            break;
        }
    }
    return mask;
}

// The position of the lowest bit of a mask, which is cleared.
int take_lowest(inout uvec4 mask) {
    int word = mask.x != 0u ? 0 : mask.y != 0u ? 1 : mask.z != 0u ? 2 : 3;
    uint bits = word < 2 ? (word == 0 ? mask.x : mask.y) : (word == 2 ? mask.z : mask.w);
    uint rest = bits & (bits - 1u);
    mask = uvec4(
        word == 0 ? rest : mask.x, word == 1 ? rest : mask.y, word == 2 ? rest : mask.z, word == 3 ? rest : mask.w);
    return word * 32 + lowest_of(bits);
}

void main() {
    uvec4 keys = uvec4(0u);
    uvec4 first = uvec4(0u);
    uvec4 second = uvec4(0u);
    uvec4 third = uvec4(0u);
    int place = target_index();
    int mark = place / SPAN;
    int high = mark + 1 < marks_len() ? int(marks_at(mark + 1)) + 1 : starts_len();
    Found found = Found(int(marks_at(mark)), 0, 0);
    uvec4 mask;
    int block;
    for (int i = 0; i < 4 && place < target_len(); i++, place++) {
        if (place >= found.end) {
            found = find_mask(place, found.mask, high);
            mask = without(masks_at(found.mask), place - found.start);
            block = found.mask % BLOCKS;
        }
        int from = block * 128 + take_lowest(mask);
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
