// radix: each place finds its key. The last start that is not past the place names a digit and a block; there the counts name a
// group, and of its four texels the one with the key.
#include <streams>
#include "sort/radix/digit.glsl"
#include "sort/radix/last_start.glsl"

layout(location = 0) out uvec4 o_keys;
#if FURTHER > 0
layout(location = 1) out uvec4 o_first;
#endif
#if FURTHER > 1
layout(location = 2) out uvec4 o_second;
#endif

void main() {
    uvec4 keys = uvec4(0u);
#if FURTHER > 0
    uvec4 first = uvec4(0u);
#endif
#if FURTHER > 1
    uvec4 second = uvec4(0u);
#endif
    int place = target_index();
    int mark = place / SPAN;
    int start = int(marks_at(mark));
    int most = mark + 1 < marks_len() ? int(marks_at(mark + 1)) + 1 : starts_len();
    int begin = 0;
    int end = -1; // of the places of this start
    int digit = 0;
    int groups = 0; // the first one of the block
    for (int i = 0; i < 4; i++, place++) {
        if (place >= target_len()) {
            break;
        }
        if (place >= end) {
            start = last_start(place, start, most);
            begin = int(starts_at(start));
            end = start + 1 < starts_len() ? int(starts_at(start + 1)) : target_len();
            digit = start / BLOCKS;
            groups = (start - digit * BLOCKS) * 16;
        }
        int rank = place - begin; // among the keys of the digit in the block
        int low = groups;
        int high = min(groups + 16, before_len());
        int passed = 0;
        while (high - low > 1) {
            int middle = (low + high) >> 1;
            int before = count_of(before_at(middle), digit);
            if (before <= rank) {
                low = middle;
                passed = before;
            } else {
                high = middle;
            }
        }
        rank -= passed;
        int texel = low * 4;
        uvec4 four = uvec4(0u);
        ivec4 upto = ivec4(0);
        for (int t = 0; t < 4; t++, texel++) {
            four = fetch(u_keys, texel_in(texel, u_keys_shape), u_keys_shape);
            ivec4 is = ivec4(equal(digits_of(four), ivec4(digit)));
            upto = ivec4(is.x, is.x + is.y, is.x + is.y + is.z, is.x + is.y + is.z + is.w);
            if (rank < upto.w) {
                break;
            }
            rank -= upto.w;
        }
        ivec4 less = ivec4(lessThanEqual(upto, ivec4(rank)));
        int c = less.x + less.y + less.z;
        keys[i] = c < 2 ? (c == 0 ? four.x : four.y) : (c == 2 ? four.z : four.w);
#if FURTHER > 0
        first[i] = first_at(4 * texel + c);
#endif
#if FURTHER > 1
        second[i] = second_at(4 * texel + c);
#endif
    }
    o_keys = keys;
#if FURTHER > 0
    o_first = first;
#endif
#if FURTHER > 1
    o_second = second;
#endif
}
