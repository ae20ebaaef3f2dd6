// radix: each place finds its key. The starts ascend over all digits and blocks, so the last one that is not past the place
// names the digit and the block; in the block the keys of that digit are counted.
#include <streams>
#include "sort/radix/digit.glsl"

layout(location = 0) out uvec4 o_keys;
#if FURTHER > 0
layout(location = 1) out uvec4 o_first;
#endif
#if FURTHER > 1
layout(location = 2) out uvec4 o_second;
#endif

// The last start that is not past a place, from `low` on.
int last_start(int place, int low) {
    int high = starts_len();
    while (high - low > 1) {
        int middle = (low + high) >> 1;
        if (int(starts_at(middle)) <= place) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void main() {
    uvec4 keys = uvec4(0u);
#if FURTHER > 0
    uvec4 first = uvec4(0u);
#endif
#if FURTHER > 1
    uvec4 second = uvec4(0u);
#endif
    int place = target_index();
    int start = -1;
    int next = 0; // the first start that is past all places of the current one
    int at = 0;
    int digit = 0;
    for (int i = 0; i < 4; i++, place++) {
        if (place >= target_len()) {
            break;
        }
        int passed = 0; // keys of the digit that come before
        if (start < 0 || place >= next) {
            start = last_start(place, max(start, 0));
            next = start + 1 < starts_len() ? int(starts_at(start + 1)) : target_len();
            digit = start / BLOCKS;
            at = (start - digit * BLOCKS) * BLOCK - 1;
            passed = place - int(starts_at(start));
        }
        uint key;
        do {
            at++;
            key = keys_at(at);
            passed -= int(digit_of(key) == digit);
        } while (passed >= 0 && at < keys_len());
        keys[i] = key;
#if FURTHER > 0
        first[i] = first_at(at);
#endif
#if FURTHER > 1
        second[i] = second_at(at);
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
