// d' = (d - a d') / (b - a c'), with the results of the item before: an affine map.
uniform int u_width;

void map(uint from[FROM], int index, out uint to[TO]) {
    vec4 e = equation_at(index), product = source_at(index - 1);
    float before = index % u_width == 0 ? 0.0 : product.y / product.w;
    float divisor = e.y - e.x * before;
    to[0] = floatBitsToUint(-e.x / divisor);
    to[1] = floatBitsToUint(e.w / divisor);
}
