// The function of a map, where a caller gives no other: the same words.
void map(uint from[FROM], int index, out uint to[TO]) {
    for (int i = 0; i < TO; i++) {
        to[i] = from[i];
    }
}
