// A texel of the result: a search that hints have shortened finds its first element; the others follow from bit to bit.
#include "compact/common/bits.glsl"
#include "compact/packed/search.glsl"
#include "compact/common/values.glsl"

#if MOVES_VALUES
layout(location = 0) out Texel o_values;
#endif
#if MOVES_INDICES
layout(location = MOVES_VALUES) out uvec4 o_indices;
#endif

flat in int v_count;

uniform usampler2D u_bits;
uniform ivec4 u_bits_shape; // its length is in groups
uniform usampler2D u_hints;
uniform ivec4 u_hints_shape;
uniform ivec4 u_target_shape;

// Moves the elements with `rank` to `rank + ITEMS - 1` kept elements before them.
void move_elements(int rank) {
    // The texel of four groups, then the last of them with no more than `rank` elements before it.
    int hint = rank / HINT;
    int lower = int(fetch(u_hints, texel_at(hint, u_hints_shape), u_hints_shape).x);
    int upper = int(fetch(u_hints, texel_at(hint + 1, u_hints_shape), u_hints_shape).x);
    int four = last_up_to(rank, lower, upper);
    ivec4 before = ivec4(fetch(u_before, texel_at(four, u_before_shape), u_before_shape));
    int second = int(before.y <= rank), third = int(before.z <= rank), fourth = int(before.w <= rank);
    int group = four * 4 + second + third + fourth;
    int skip = rank - (fourth == 1 ? before.w : third == 1 ? before.z : second == 1 ? before.y : before.x);

    // The word of the group that holds the element.
    uvec4 bits = fetch(u_bits, texel_at(group, u_bits_shape), u_bits_shape);
    ivec4 counts = bits_in(bits);
    int first = group * 128; // element of the lowest bit of bits.x
    while (skip >= counts.x) {
        skip -= counts.x;
        counts = ivec4(counts.yzw, 0);
        bits = uvec4(bits.yzw, 0u);
        first += 32;
    }
    // Skips the bits before the element.
    bits.x &= 0xFFFFFFFFu << place_of(bits.x, skip);

    int wanted = min(v_count - rank, ITEMS);
    int held = -1; // the last texel fetched from the stream
#if MOVES_VALUES
    Texel values = Texel(0);
    o_values = Texel(0);
#endif
#if MOVES_INDICES
    uvec4 indices = uvec4(0u);
#endif
    for (int i = 0; i < wanted; i++) {
        while (bits.x == 0u) {
            first += 32;
            if ((first & 127) == 0) {
                bits = fetch(u_bits, texel_at(first / 128, u_bits_shape), u_bits_shape);
            } else {
                bits = uvec4(bits.yzw, 0u);
            }
        }
        int index = first + lowest_of(bits.x);
        bits.x &= bits.x - 1u;
#if MOVES_VALUES
        int texel = index / ITEMS;
        if (texel != held) {
            held = texel;
            values = fetch(u_values, texel_at(texel, u_values_shape), u_values_shape);
        }
        put_element(o_values, i * ELEMENT_WORDS, element_of(values, (index % ITEMS) * ELEMENT_WORDS));
#endif
#if MOVES_INDICES
        indices[i] = uint(index);
#endif
    }
#if MOVES_INDICES
    o_indices = indices;
#endif
}

void main() {
    int rank = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * ITEMS;
    if (rank < v_count) {
        move_elements(rank);
    } else {
        discard;
    }
}
