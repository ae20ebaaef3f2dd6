// The stream that is compacted, and its results, in buffers.
//
// An invocation takes a row at a time: VECTOR elements. The mask, if there is one, has a word for each.
#include "common/bound_length.glsl"
#include "compact/common/condition.glsl"

#define LOAD (VECTOR * ELEMENT_WORDS) // 1, 2 or 4 words
#include "common/source.glsl"

#if MASKED
#if VECTOR == 4
#define MaskRow uvec4
#define MASK_WORD(row, word) row[word]
#elif VECTOR == 2
#define MaskRow uvec2
#define MASK_WORD(row, word) row[word]
#else
#define MaskRow uint
#define MASK_WORD(row, word) row
#endif
#endif
#include "common/mask_loads.glsl"

// An element as it is moved.
#if ELEMENT_WORDS == 2
#define Moved uvec2
#else
#define Moved uint
#endif

#if MOVES_VALUES
layout(std430, binding = VALUES) writeonly buffer Values { Moved b_values[]; };
#endif
#if MOVES_INDICES
layout(std430, binding = INDICES) writeonly buffer Indices { uint b_indices[]; };
#endif

uniform int u_len; // elements that are bound

// Element number `i` of a row.
Moved element_in(Loaded row, int i) {
#if ELEMENT_WORDS == 2
    return uvec2(LOADED_WORD(row, 2 * i), LOADED_WORD(row, 2 * i + 1));
#else
    return LOADED_WORD(row, i);
#endif
}

// A row of the stream; zeros beyond its end.
Loaded row_at(int row) {
    if (row * VECTOR < u_len) {
        return load_at(row);
    }
    return Loaded(0u);
}

// A bit for each element of a row, the first one lowest: 1 if it is kept. All of the row is in the stream.
uint kept_in_whole(Loaded words, int row) {
    uint kept = 0u;
#if MASKED
    MaskRow mask = mask_at(row);
#endif
    for (int i = 0; i < VECTOR; i++) {
#if MASKED
        bool is = MASK_WORD(mask, i) != 0u;
#elif ELEMENT_WORDS == 2
        bool is = is_kept(element_of_bits(element_in(words, i)));
#else
        bool is = is_kept(element_of_bits(uvec2(element_in(words, i), 0u)));
#endif
        kept |= uint(is) << i;
    }
    return kept;
}

// The same for any row. Past the stream's end nothing is kept.
uint kept_in(Loaded words, int row) {
    int left = bound_length(u_len) - row * VECTOR;
    uint kept = left > 0 ? kept_in_whole(words, row) : 0u;
    return left >= VECTOR ? kept : kept & ((1u << max(left, 0)) - 1u);
}

// Moves the kept elements of a row to `place` and after it. `index` is that of the row's first element.
void move_row(Loaded words, uint kept, int place, int index) {
    for (int i = 0; i < VECTOR; i++) {
        if ((kept >> i & 1u) != 0u) {
#if MOVES_VALUES
            b_values[WRITE_AT(VALUES, place, ELEMENT_WORDS)] = element_in(words, i);
#endif
#if MOVES_INDICES
            b_indices[WRITE_AT(INDICES, place, 1)] = uint(index + i);
#endif
            place++;
        }
    }
}
