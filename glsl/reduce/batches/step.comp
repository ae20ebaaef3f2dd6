// Step: each item combines up to STEP neighbours of a row or column, whose items lie u_inner apart.
#include "common/group.glsl"
#include "common/item.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = SOURCE) readonly buffer Source { uint b_source[]; };
layout(std430, binding = TARGET) writeonly buffer Target { uint b_target[]; };
uniform int u_items; // items of the target
uniform int u_len; // items in a row or column
uniform int u_next; // the same in the target
uniform int u_inner; // rows or columns side by side

Item source_item(int index) {
    Words words;
    for (int i = 0; i < ITEM_WORDS; i++) {
        WORD(words, i) = b_source[READ_AT(SOURCE, index * ITEM_WORDS + i, 1)];
    }
    return item_of_words(words);
}

void main() {
    int place = invocation_index();
    if (place >= u_items) {
        return;
    }
    int inner = place % u_inner, block = place / u_inner;
    int outer = block / u_next, begin = block % u_next * STEP;
    int end = min(begin + STEP, u_len);
    // Of an empty row or column.
    Item sum = identity();
    for (int i = begin; i < end; i++) { // at most STEP turns
        Item item = source_item((outer * u_len + i) * u_inner + inner);
        if (i == begin) {
            sum = item;
        } else {
            sum = combine(sum, item);
        }
    }
    Words words = words_of_item(sum);
    for (int i = 0; i < ITEM_WORDS; i++) {
        b_target[WRITE_AT(TARGET, place * ITEM_WORDS + i, 1)] = WORD(words, i);
    }
}
