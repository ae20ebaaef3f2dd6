// The number of the highest bit that is set. Without the bit below it no rounding reaches the next power of two.
int highest_bit(uint bits) {
    return (floatBitsToInt(float(bits & ~(bits >> 1))) >> 23) - 127;
}
