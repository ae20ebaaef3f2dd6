// Elements of one word: a channel of the texel.
#define ELEMENT_WORDS 1

Element element_of(Texel texel, int word) {
    return texel[word];
}

void put_element(inout Texel texel, int word, Element value) {
    texel[word] = value;
}
