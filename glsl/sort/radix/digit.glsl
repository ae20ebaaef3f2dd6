// The digit of a key by which a step sorts: DIGIT_BITS from bit u_shift on.
uniform int u_shift;

int digit_of(uint key) {
    return int(key >> uint(u_shift) & uint(DIGITS - 1));
}
