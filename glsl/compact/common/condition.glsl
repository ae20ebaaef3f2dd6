// The condition: a comparison with a constant. COMPARISON numbers >, >=, <, <=, ==, != from 0, and from 6 those that do
// not hold.
#include <element>

uniform ivec2 u_constant; // its words

bool is_kept(Element value) {
    bool holds;
    Element constant = element_of_bits(uvec2(u_constant));
#if COMPARISON % 6 == 0
    holds = element_less(constant, value);
#elif COMPARISON % 6 == 1
    holds = element_less(constant, value) || element_equal(value, constant);
#elif COMPARISON % 6 == 2
    holds = element_less(value, constant);
#elif COMPARISON % 6 == 3
    holds = element_less(value, constant) || element_equal(value, constant);
#elif COMPARISON % 6 == 4
    holds = element_equal(value, constant);
#else
    holds = !element_equal(value, constant);
#endif
    return holds == (COMPARISON < 6);
}
