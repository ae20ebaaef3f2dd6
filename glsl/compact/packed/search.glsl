// The search for the group that holds an element of the result, over the number of elements kept before each group.
#include "common/fetch.glsl"

uniform usampler2D u_before; // four groups in a texel
uniform ivec4 u_before_shape;

// The last texel from `lower` to `upper` whose first group has no more than `rank` elements before it.
int last_up_to(int rank, int lower, int upper) {
    while (lower < upper) {
        int middle = (lower + upper + 1) / 2;
        if (int(fetch(u_before, texel_at(middle, u_before_shape), u_before_shape).x) <= rank) {
            lower = middle;
        } else {
            upper = middle - 1;
        }
    }
    return lower;
}
