// The identity of a caller's operator, from its words.
Item identity() {
    return item_of_words(uvec4(IDENTITY_0, IDENTITY_1, IDENTITY_2, IDENTITY_3));
}
