// Items that are a value and a word of its index: the index plus 2^23, which as a float is a normal number. The index
// decides between equal values, and NaN comes before all others, so that the first one is found.
#include "common/operator/pair.glsl"

const uint INDEX_BIAS = 0x00800000u;
const uint NO_INDEX = 0x7F7FFFFFu; // behind all others

uint index_word(Item item) { return bits_of_element(item.b).x; }

Item numbered(Element value, int index) {
    return Item(value, element_of_bits(uvec2(uint(index) + INDEX_BIAS, 0u)));
}

Item no_item(Element value) {
    return Item(value, element_of_bits(uvec2(NO_INDEX, 0u)));
}

// Whether the right item takes the left one's place, where `before` says whether its value comes before the left one's.
bool replaces(Item left, Item right, bool before) {
    bool left_nan = !element_equal(left.a, left.a), right_nan = !element_equal(right.a, right.a);
    if (left_nan != right_nan) {
        return right_nan;
    }
    if (left_nan || element_equal(left.a, right.a)) {
        return index_word(right) < index_word(left);
    }
    return before;
}
