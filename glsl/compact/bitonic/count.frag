// The number of kept elements: a binary search for the first unwanted key.
#include "common/fetch.glsl"

uniform usampler2D u_keys;
uniform ivec4 u_keys_shape;

layout(location = 0) out uvec4 o_count;

void main() {
    int lower = 0;
    int upper = u_keys_shape.w;
    while (lower < upper) { // at most 31 turns
        int middle = (lower + upper) / 2;
        if ((fetch(u_keys, texel_at(middle, u_keys_shape), u_keys_shape).x & 0x80000000u) == 0u) {
            lower = middle + 1;
        } else {
            upper = middle;
        }
    }
    o_count = uvec4(upper);
}
