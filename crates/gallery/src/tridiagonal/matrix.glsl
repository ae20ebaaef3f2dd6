// c' = c / (b - a c'), as a matrix.
void map(uint from[FROM], int index, out uint to[TO]) {
    vec4 e = source_at(index);
    to[0] = 0u;
    to[1] = floatBitsToUint(e.z);
    to[2] = floatBitsToUint(-e.x);
    to[3] = floatBitsToUint(e.y);
}
