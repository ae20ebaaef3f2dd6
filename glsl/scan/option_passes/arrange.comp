// Arrange: the items in the order of their visits, each with a flag where a scan begins (SPLIT).
#include "scan/option_passes/buffers.glsl"

void main() {
    int visit = invocation_index();
    if (visit >= u_len) {
        return;
    }
    int index = index_of_visit(visit);
    ValueWords words;
    for (int i = 0; i < VALUE_WORDS; i++) {
        VALUE_WORD(words, i) = b_source[READ_AT(SOURCE, index * VALUE_WORDS + i, 1)];
    }
    Value value = value_of_words(words);
#if SPLIT
    Words item = words_of_item(Item(value, uint(begins(visit, index))));
#else
    Words item = words_of_item(value);
#endif
    for (int i = 0; i < ITEM_WORDS; i++) {
        b_target[WRITE_AT(TARGET, visit * ITEM_WORDS + i, 1)] = WORD(item, i);
    }
}
