// A column of a band of BAND rows for each invocation.
#include "common/group.glsl"
#include "common/item.glsl"

uniform int u_across; // work groups in a row
uniform int u_width; // items in a row
uniform int u_rows;

layout(std430, binding = SOURCE) readonly buffer Source { uint b_source[]; };

int own_column() { return group_index() % u_across * GROUP + int(gl_LocalInvocationIndex); }
int own_band() { return group_index() / u_across; }

Item source_item(int index) {
    Words words;
    for (int i = 0; i < ITEM_WORDS; i++) {
        WORD(words, i) = b_source[READ_AT(SOURCE, index * ITEM_WORDS + i, 1)];
    }
    return item_of_words(words);
}
