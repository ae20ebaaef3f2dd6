// Number: a value becomes an item of common/operator/first.glsl, with the word of its index.
void map(uint from[FROM], int index, out uint to[TO]) {
    for (int i = 0; i < FROM; i++) {
        to[i] = from[i];
        to[FROM + i] = 0u;
    }
    to[FROM] = uint(index) + 0x00800000u;
}
