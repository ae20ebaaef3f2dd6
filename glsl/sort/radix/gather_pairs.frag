// radix: each place finds its key and the payload; where no payload is read, it is the index of the key. A fetch of a pair finds
// both: the even ones are in the first stream and the odd ones in the second, two of each to a texel.
#include <streams>
#include "sort/radix/find.glsl"

#if TO_PAIRS
layout(location = 0) out uvec4 o_even_pairs;
layout(location = 1) out uvec4 o_odd_pairs;
#elif KEYS
layout(location = 0) out uvec4 o_keys;
layout(location = 1) out uvec4 o_payload;
#else
layout(location = 0) out uvec4 o_payload;
#endif

// The key and the payload at an index; 0 where there is none.
uvec2 pair_at(int index) {
#if FROM_PAIRS
    return (index & 1) == 0 ? even_pairs_at(index >> 1) : odd_pairs_at(index >> 1);
#elif PAYLOADS > 0
    return uvec2(keys_at(index), payload_at(index));
#else
    return uvec2(keys_at(index), uint(max(index, 0)));
#endif
}

void main() {
#if TO_PAIRS
    int place = target_index() * 2;
#else
    int place = target_index();
#endif
    ivec4 from = find_keys(place, LEN);
    uvec2 pairs[4] = uvec2[4](pair_at(from.x), pair_at(from.y), pair_at(from.z), pair_at(from.w));
#if TO_PAIRS
    o_even_pairs = uvec4(pairs[0], pairs[2]);
    o_odd_pairs = uvec4(pairs[1], pairs[3]);
#else
#if KEYS
    o_keys = uvec4(pairs[0].x, pairs[1].x, pairs[2].x, pairs[3].x);
#endif
    o_payload = uvec4(pairs[0].y, pairs[1].y, pairs[2].y, pairs[3].y);
#endif
}
