// Value: that of an item of common/operator/first.glsl.
void map(uint from[FROM], int index, out uint to[TO]) {
    for (int i = 0; i < TO; i++) {
        to[i] = from[i];
    }
}
