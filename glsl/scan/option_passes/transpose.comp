// A matrix of u_rows x u_columns items, transposed: each group moves a square of SIDE x SIDE through shared memory, so
// that neighbours read and write neighbouring items. With REVERSED, visits are counted from the last item: those are the
// target's indices, or where results are restored (RESTORES) the source's.
#include "common/group.glsl"
#include "common/values.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = SOURCE) readonly buffer Source { uint b_source[]; };
layout(std430, binding = TARGET) writeonly buffer Target { uint b_target[]; };
#if SEEDED
layout(std430, binding = SEED) readonly buffer Seed { uint b_seed[]; };
#endif

uniform int u_rows;
uniform int u_columns;

const int PITCH = SIDE + 1; // so that a column of the square lies in different banks

shared uint s_square[SIDE * PITCH * VALUE_WORDS];

int reversed(int index) {
    return REVERSED == 1 ? u_rows * u_columns - 1 - index : index;
}

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    int across = (u_columns + SIDE - 1) / SIDE;
    int top = group_index() / across * SIDE, left = group_index() % across * SIDE;
    int x = int(gl_LocalInvocationIndex) % SIDE, first = int(gl_LocalInvocationIndex) / SIDE;
    for (int y = first; y < SIDE; y += GROUP / SIDE) {
        if (top + y < u_rows && left + x < u_columns) {
            int index = (top + y) * u_columns + left + x;
            index = RESTORES == 1 ? reversed(index) : index;
            for (int i = 0; i < VALUE_WORDS; i++) {
                s_square[(y * PITCH + x) * VALUE_WORDS + i] = b_source[READ_AT(SOURCE, index * VALUE_WORDS + i, 1)];
            }
        }
    }
    sync_group();
    for (int y = first; y < SIDE; y += GROUP / SIDE) {
        if (left + y >= u_columns || top + x >= u_rows) {
            continue;
        }
        int index = (left + y) * u_rows + top + x;
        index = RESTORES == 1 ? index : reversed(index);
#if SEEDED
        ValueWords words;
        for (int i = 0; i < VALUE_WORDS; i++) {
            VALUE_WORD(words, i) = s_square[(x * PITCH + y) * VALUE_WORDS + i];
        }
        // The number of the visit, which the source is indexed by, decides which member of a tuple it is.
        int visit = reversed((top + x) * u_columns + left + y);
        ValueWords seed;
        for (int i = 0; i < VALUE_WORDS; i++) {
            VALUE_WORD(seed, i) = b_seed[READ_AT(SEED, visit % TUPLE * VALUE_WORDS + i, 1)];
        }
        words = words_of_value(combine_values(value_of_words(seed), value_of_words(words)));
        for (int i = 0; i < VALUE_WORDS; i++) {
            b_target[WRITE_AT(TARGET, index * VALUE_WORDS + i, 1)] = VALUE_WORD(words, i);
        }
#else
        for (int i = 0; i < VALUE_WORDS; i++) {
            b_target[WRITE_AT(TARGET, index * VALUE_WORDS + i, 1)] = s_square[(x * PITCH + y) * VALUE_WORDS + i];
        }
#endif
    }
}
