// x = d' - c' x, with the x of the item behind.
void map(uint from[FROM], int index, out uint to[TO]) {
    vec4 product = product_at(index);
    to[0] = floatBitsToUint(-product.y / product.w);
    to[1] = from[1];
}
