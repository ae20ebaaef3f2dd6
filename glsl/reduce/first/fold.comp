// Fold: each item is the first of BLOCK values, which lie as far apart as there are items: so neighbouring invocations read
// neighbouring values.
#include "common/item.glsl"
#include "common/source.glsl"
#include "common/bound_length.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = TARGET) writeonly buffer Target { uint b_target[]; };

uniform int u_len; // values that are bound
uniform int u_items; // items made of them
uniform int u_first; // the index of the first value

void main() {
    int item = invocation_index();
    if (item >= u_items) {
        return;
    }
    int len = bound_length(u_len);
    Item found = identity();
    for (int i = 0; i < BLOCK; i++) {
        int index = item + i * u_items;
        if (index < len) {
            Loaded loaded = load_at(index);
#if ELEMENT_WORDS == 2
            uvec2 bits = loaded;
#else
            uvec2 bits = uvec2(loaded, 0u);
#endif
            found = combine(found, numbered(element_of_bits(bits), u_first + index));
        }
    }
    Words words = words_of_item(found);
    for (int i = 0; i < ITEM_WORDS; i++) {
        b_target[WRITE_AT(TARGET, item * ITEM_WORDS + i, 1)] = WORD(words, i);
    }
}
