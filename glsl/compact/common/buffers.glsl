// The stream that is compacted and what is made of it, in buffers: what is kept, and where it goes.
//
// A row is what an invocation takes at a time: VECTOR elements. The mask, if there is one, has a word for each.
#include "common/group.glsl"
#include "compact/common/condition.glsl"

const int ROW_WORDS = VECTOR * ELEMENT_WORDS; // 1, 2 or 4

#if VECTOR * ELEMENT_WORDS == 4
#define Row uvec4
#define ROW_WORD(row, word) row[word]
#elif VECTOR * ELEMENT_WORDS == 2
#define Row uvec2
#define ROW_WORD(row, word) row[word]
#else
#define Row uint
#define ROW_WORD(row, word) row
#endif

layout(std430, binding = SOURCE) readonly buffer Source { Row b_source[]; };

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
layout(std430, binding = MASK) readonly buffer Mask { MaskRow b_mask[]; };
#endif

#if MOVES_VALUES
#if ELEMENT_WORDS == 2
layout(std430, binding = VALUES) writeonly buffer Values { uvec2 b_values[]; };
#else
layout(std430, binding = VALUES) writeonly buffer Values { uint b_values[]; };
#endif
#endif
#if MOVES_INDICES
layout(std430, binding = INDICES) writeonly buffer Indices { uint b_indices[]; };
#endif

uniform int u_len; // elements that are bound

// The words of element number `i` of a row.
uvec2 words_in(Row row, int i) {
#if ELEMENT_WORDS == 2
    return uvec2(ROW_WORD(row, 2 * i), ROW_WORD(row, 2 * i + 1));
#else
    return uvec2(ROW_WORD(row, i), 0u);
#endif
}

// A row of the stream; nothing where it ends before.
Row row_at(int row) {
    return row * VECTOR < u_len ? b_source[row] : Row(0u);
}

// A bit for each element of a row, the first one lowest: 1 where it is kept. Behind the stream's end nothing is.
uint kept_in(Row words, int row) {
    uint kept = 0u;
#if MASKED
    MaskRow mask = row * VECTOR < u_len ? b_mask[row] : MaskRow(0u);
#endif
    for (int i = 0; i < VECTOR; i++) {
#if MASKED
        bool is = MASK_WORD(mask, i) != 0u;
#else
        bool is = is_kept(element_of_bits(words_in(words, i)));
#endif
        kept |= uint(is && row * VECTOR + i < u_len) << i;
    }
    return kept;
}

// Moves the elements of a row that are kept to `place` and after it. `index` is that of the row's first.
void move_row(Row words, uint kept, int place, int index) {
    for (int i = 0; i < VECTOR; i++) {
        if ((kept >> i & 1u) != 0u) {
#if MOVES_VALUES && ELEMENT_WORDS == 2
            b_values[place] = words_in(words, i);
#elif MOVES_VALUES
            b_values[place] = words_in(words, i).x;
#endif
#if MOVES_INDICES
            b_indices[place] = uint(index + i);
#endif
            place++;
        }
    }
}
