// A texel of the result: its run says which group holds the run's first element; its own first element is found by
// counting bits from there, and the others follow from bit to bit.
//
// Fetches that wait for each other cost most. Here there are three in a row: the run, the bits of two groups, the values.
#include "compact/common/bits.glsl"
#include "compact/packed/search.glsl"
#include "compact/common/values.glsl"

#if MOVES_VALUES
layout(location = 0) out Texel o_values;
#endif
#if MOVES_INDICES
layout(location = MOVES_VALUES) out uvec4 o_indices;
#endif

#if MOVES_VALUES
Texel moved_values = Texel(0);
#endif
#if MOVES_INDICES
uvec4 moved_indices = uvec4(0u);
#endif

flat in int v_count;

const int NEAR = 8; // words of 32 elements up to which walking is cheaper than a search

uniform usampler2D u_bits;
uniform ivec4 u_bits_shape; // its length is in groups
uniform usampler2D u_runs;
uniform ivec4 u_runs_shape;
uniform ivec4 u_target_shape;

#if MOVES_VALUES
// The element at a place of a texel: by choices, since an index that is not constant costs much more.
Element element_at(Texel texel, int place) {
    bool odd = (place & 1) != 0;
#if ITEMS == 4
    Element low = odd ? element_of(texel, 1) : element_of(texel, 0);
    Element high = odd ? element_of(texel, 3) : element_of(texel, 2);
    return (place & 2) != 0 ? high : low;
#else
    return odd ? element_of(texel, 2) : element_of(texel, 0);
#endif
}

Texel values_at(int texel) {
    return fetch(u_values, texel_at(texel, u_values_shape), u_values_shape);
}

// Moves the element at an index, which is in this texel of the stream, to place i of the texel.
void move_value(int i, Texel values, int index) {
    put_element(moved_values, i * ELEMENT_WORDS, element_at(values, index & (ITEMS - 1)));
}
#endif

// Moves the element at an index to place i of the texel.
void move_element(int i, int index) {
#if MOVES_VALUES
    move_value(i, values_at(index / ITEMS), index);
#endif
#if MOVES_INDICES
    moved_indices[i] = uint(index);
#endif
}

// Moves elements that are near each other: most are in the first one's texel, in the next one, or in the last one's.
void move_near(int indices[ITEMS]) {
#if MOVES_VALUES
    const int LAST = ITEMS - 1;
    int first = indices[0] / ITEMS;
    int last = indices[LAST] / ITEMS;
    int next = min(first + 1, last);
    Texel of_first = values_at(first);
    Texel of_next = values_at(next);
    Texel of_last = values_at(last);
    move_value(0, of_first, indices[0]);
    for (int i = 1; i < LAST; i++) {
        int texel = indices[i] / ITEMS;
        Texel values = texel == first ? of_first : texel == next ? of_next : of_last;
        if (texel > next && texel != last) {
            values = values_at(texel);
        }
        move_value(i, values, indices[i]);
    }
    move_value(LAST, of_last, indices[LAST]);
#endif
#if MOVES_INDICES
    for (int i = 0; i < ITEMS; i++) {
        moved_indices[i] = uint(indices[i]);
    }
#endif
}

// The bits of a group; none past the last one.
uvec4 bits_of(int group) {
    if (group >= u_bits_shape.w) {
        return uvec4(0u);
    }
    return fetch(u_bits, texel_at(group, u_bits_shape), u_bits_shape);
}

// Finds the word of a group that holds the kept element with `skip` kept ones before it in the group; `skip` becomes its
// number in the word. `first` is the element of the word's lowest bit, and `next` the word after it: `after` for the last.
uint word_of(uvec4 bits, uint after, inout int skip, inout int first, out uint next) {
    ivec4 counts = bits_in(bits);
    bool upper = skip >= counts.x + counts.y;
    skip -= upper ? counts.x + counts.y : 0;
    int count = upper ? counts.z : counts.x;
    uvec3 words = upper ? uvec3(bits.zw, after) : bits.xyz;
    bool second = skip >= count;
    skip -= second ? count : 0;
    first += (upper ? 64 : 0) + (second ? 32 : 0);
    next = second ? words.z : words.y;
    return second ? words.y : words.x;
}

// The group that holds the element with `rank` kept elements before it, and the number of elements kept before the group.
ivec2 group_at(int rank) {
    int run = rank / RUN;
    uvec4 start = fetch(u_runs, texel_at(run, u_runs_shape), u_runs_shape);
    int group = group_of_run(start);
    int before = before_run(start);
    if (is_far(start)) {
        // Few are kept: the search, up to where the next run begins.
        int upper = last_four();
        if ((run + 1) * RUN < v_count) {
            upper = group_of_run(fetch(u_runs, texel_at(run + 1, u_runs_shape), u_runs_shape)) / 4;
        }
        return group_of(rank, group / 4, upper);
    }
    return rank - before < count_of_run(start) ? ivec2(group, before) : ivec2(group + 1, before + count_of_run(start));
}

// Moves the elements with `rank` to `rank + ITEMS - 1` kept elements before them.
void move_elements(int rank) {
    ivec2 found = group_at(rank);
    int skip = rank - found.y;
    int first = found.x * 128;
    uint next;
    uint word = word_of(bits_of(found.x), bits_of(found.x + 1).x, skip, first, next);
    int place = place_of(word, skip);

    // The bits of the 32 elements from this one on. All that are wanted are among them unless few are kept.
    uint window = (word >> place) | (next << 1 << (31 - place));
    uint last = window;
    for (int i = 1; i < ITEMS; i++) {
        last &= last - 1u;
    }
    if (last != 0u) {
        int indices[ITEMS];
        for (int i = 0; i < ITEMS; i++) {
            indices[i] = first + place + lowest_of(window);
            window &= window - 1u;
        }
        move_near(indices);
        return;
    }

    // One after the other: from word to word if the next is near, else by a search as for the first. This looks up all anew, so
    // nothing else is kept in registers, which would slow down the usual case (H200, 2^24, 60% kept: 1.47 ms instead of 1.37).
    word &= 0xFFFFFFFFu << place;
    for (int i = 0; i < min(v_count - rank, ITEMS); i++) { // at most ITEMS turns
        for (int step = 0; step < NEAR && word == 0u; step++) {
            first += 32;
            word = bits_of(first / 128)[first / 32 % 4];
        }
        if (word == 0u) {
            found = group_at(rank + i);
            skip = rank + i - found.y;
            first = found.x * 128;
            word = word_of(bits_of(found.x), 0u, skip, first, next);
            word &= 0xFFFFFFFFu << place_of(word, skip);
        }
        move_element(i, first + lowest_of(word));
        word &= word - 1u;
    }
}

void main() {
    int rank = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * ITEMS;
    if (rank < v_count) {
        move_elements(rank);
#if MOVES_VALUES
        o_values = moved_values;
#endif
#if MOVES_INDICES
        o_indices = moved_indices;
#endif
    } else {
        discard;
    }
}
