// Down-sweep: odd i takes a(d+1)[i/2]; even i > 0 takes a(d+1)[i/2 - 1] + a(d)[i]; the first is left.
// With EXCLUSIVE (the last pass of an exclusive scan): even i takes a(d+1)[i/2 - 1], odd i takes
// a(d+1)[i/2 - 1] + a(d)[i - 1], and the first is the identity.
#include "common/item.glsl"
#include "common/stream.glsl"

uniform Sampler u_values; // a(d), not yet scanned
uniform ivec4 u_values_shape;
uniform Sampler u_sums; // a(d+1), scanned
uniform ivec4 u_sums_shape;

layout(location = 0) out Texel o_result;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int half_width = u_values_shape.x >> 1;
    int member = here.x % TUPLE;
    int i = here.x / TUPLE;
    bool odd = (i & 1) == 1;
    // a(d+1)[i/2], and the place before it.
    ivec2 own = ivec2((i >> 1) * TUPLE + member + (here.y & 1) * half_width, here.y >> 1);
    ivec2 before = left_of(own, ivec2(TUPLE, 0), u_sums_shape.x);

#if EXCLUSIVE
    if (before.y < 0) {
        o_result = odd
            ? texelFetch(u_values, here - ivec2(TUPLE, 0), 0)
            : texel_of(identity());
        return;
    }
    Texel sum = texelFetch(u_sums, before, 0);
    if (odd) {
        Texel left = texelFetch(u_values, here - ivec2(TUPLE, 0), 0);
        sum = texel_of(combine(the_item(sum), the_item(left)));
    }
    o_result = sum;
#else
    ivec2 place = odd ? own : before;
    if (place.y < 0) {
        o_result = texelFetch(u_values, here, 0);
        return;
    }
    Texel sum = texelFetch(u_sums, place, 0);
    if (!odd) {
        sum = texel_of(combine(the_item(sum), the_item(texelFetch(u_values, here, 0))));
    }
    o_result = sum;
#endif
}
