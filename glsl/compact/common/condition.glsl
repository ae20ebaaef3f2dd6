// The condition: a comparison with a constant. COMPARISON numbers >, >=, <, <=, ==, != from 0.
#include <element>

uniform ivec2 u_constant; // its words

bool is_kept(Element value) {
    Element constant = element_of_bits(uvec2(u_constant));
#if COMPARISON == 0
    return element_less(constant, value);
#elif COMPARISON == 1
    return element_less(constant, value) || element_equal(value, constant);
#elif COMPARISON == 2
    return element_less(value, constant);
#elif COMPARISON == 3
    return element_less(value, constant) || element_equal(value, constant);
#elif COMPARISON == 4
    return element_equal(value, constant);
#else
    return !element_equal(value, constant);
#endif
}
