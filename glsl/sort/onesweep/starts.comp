// onesweep: where the keys with each digit begin, at every place: the prefixes of what is before the first tile.
#include "sort/common/digits.glsl"
#include "sort/onesweep/states.glsl"

layout(std430, binding = COUNTS) buffer Counts { uint b_counts[]; };

void main() {
    int place = group_index();
    if (place >= u_groups) {
        return;
    }
#ifdef RECORDED
    t_tile = place;
#endif
    for (int i = 0; i < EACH; i++) {
        t_counts[i] = 0u;
        if (own_digit(i) < DIGITS) {
            int at = place * DIGITS + own_digit(i);
            t_counts[i] = b_counts[READ_AT(COUNTS, at, 1)];
            // The next run begins to count at 0.
            b_counts[WRITE_AT(COUNTS, at, 1)] = 0u;
        }
    }
    begin_digits();
    for (int i = 0; i < EACH; i++) {
        if (own_digit(i) < DIGITS) {
            publish(place * TUPLE + own_digit(i), prefix_of(place), t_begins[i]);
        }
    }
}
