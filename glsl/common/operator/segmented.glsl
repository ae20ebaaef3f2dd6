// sengupta2007, section 3: items of a segmented scan, a value and whether a segment begins at it. The operator on values
// stands before this file, under other names: Inner, inner_identity(), combine_inner() and the like.
struct Item {
    Inner value;
    uint head; // 1 or 0: arrays have no bools (rule 14 of src/plan/shader.rs)
};
#define ITEM_WORDS (INNER_WORDS + ELEMENT_WORDS)
#include "common/operator/words.glsl"

#if ITEM_WORDS <= 4
Item item_of(Texel texel, int word) {
    return Item(inner_of(texel, word), uint(texel[word + INNER_WORDS] != Texel(0)[0]));
}

void put_item(inout Texel texel, int word, Item item) {
    put_inner(texel, word, item.value);
    put_element(texel, word + INNER_WORDS, item.head != 0u ? ELEMENT_ONE : ELEMENT_ZERO);
}
#endif

Words words_of_item(Item item) {
    InnerWords value = words_of_inner(item.value);
    Words words;
    for (int i = 0; i < INNER_WORDS; i++) {
        WORD(words, i) = INNER_WORD(value, i);
    }
    uvec2 flag = bits_of_element(item.head != 0u ? ELEMENT_ONE : ELEMENT_ZERO);
    WORD(words, INNER_WORDS) = flag.x;
#if ELEMENT_WORDS == 2
    WORD(words, INNER_WORDS + 1) = flag.y;
#endif
    return words;
}

Item item_of_words(Words words) {
    InnerWords value;
    for (int i = 0; i < INNER_WORDS; i++) {
        INNER_WORD(value, i) = WORD(words, i);
    }
    return Item(inner_of_words(value), uint(WORD(words, INNER_WORDS) != 0u));
}

Item identity() {
    return Item(inner_identity(), 0u);
}

Item combine(Item left, Item right) {
    if (right.head != 0u) {
        return right;
    }
    return Item(combine_inner(left.value, right.value), left.head);
}
