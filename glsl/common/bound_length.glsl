// The length of what is bound of a stream of which only the first items count (COUNTED): LENGTH is one u32.

#ifdef COUNTED
layout(std430, binding = LENGTH) readonly buffer Length { uint b_length[]; };
uniform int u_begin; // the index of the first item that is bound
#endif

// The items that count of those that are bound.
int bound_length(int bound) {
#ifdef COUNTED
    int length = int(min(b_length[0], 0x40000000u));
    return clamp(length - u_begin, 0, bound);
#else
    return bound;
#endif
}
