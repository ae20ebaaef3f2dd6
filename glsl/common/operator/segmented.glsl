// sengupta2007, section 3: items of a segmented scan, a value and whether a segment begins at it. The operator on values
// stands before this file, under other names: Value, no_value(), combine_values() and the like.
struct Item {
    Value value;
    bool head;
};
#define ITEM_WORDS (VALUE_WORDS + ELEMENT_WORDS)
#include "common/operator/words.glsl"

#if ITEM_WORDS <= 4
Item item_of(Texel texel, int word) {
    return Item(value_of(texel, word), texel[word + VALUE_WORDS] != Texel(0)[0]);
}

void put_item(inout Texel texel, int word, Item item) {
    put_value(texel, word, item.value);
    put_element(texel, word + VALUE_WORDS, item.head ? ELEMENT_ONE : ELEMENT_ZERO);
}
#endif

Words words_of_item(Item item) {
    ValueWords value = words_of_value(item.value);
    Words words;
    for (int i = 0; i < VALUE_WORDS; i++) {
        WORD(words, i) = VALUE_WORD(value, i);
    }
    uvec2 flag = bits_of_element(item.head ? ELEMENT_ONE : ELEMENT_ZERO);
    WORD(words, VALUE_WORDS) = flag.x;
#if ELEMENT_WORDS == 2
    WORD(words, VALUE_WORDS + 1) = flag.y;
#endif
    return words;
}

Item item_of_words(Words words) {
    ValueWords value;
    for (int i = 0; i < VALUE_WORDS; i++) {
        VALUE_WORD(value, i) = WORD(words, i);
    }
    return Item(value_of_words(value), WORD(words, VALUE_WORDS) != 0u);
}

Item identity() {
    return Item(no_value(), false);
}

Item combine(Item left, Item right) {
    if (right.head) {
        return right;
    }
    return Item(combine_values(left.value, right.value), left.head);
}
