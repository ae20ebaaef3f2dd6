// The digits of keys by which a step sorts: from bit u_shift on, DIGITS values. Counts of 16 digits are the bytes of a texel.
uniform int u_shift;

ivec4 digits_of(uvec4 keys) {
    return ivec4(keys >> uint(u_shift) & uint(DIGITS - 1));
}

// The count of a digit.
int count_of(uvec4 counts, int digit) {
    int word = digit >> 2;
    uint bytes = word < 2 ? (word == 0 ? counts.x : counts.y) : (word == 2 ? counts.z : counts.w);
    return int(bytes >> uint(8 * (digit & 3)) & 255u);
}
