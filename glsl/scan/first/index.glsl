// Index: the index of an item of common/operator/first.glsl; of no item it is the largest u32.
void map(uint from[FROM], int index, out uint to[TO]) {
    uint word = from[FROM / 2];
    to[0] = word == 0x7F7FFFFFu ? 0xFFFFFFFFu : word - 0x00800000u;
}
