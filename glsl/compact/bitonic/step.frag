// One step of the bitonic sort: keys at a distance of u_distance are compared and exchanged, in runs of u_run keys that
// alternate in direction.
#include "common/fetch.glsl"

uniform usampler2D u_keys;
uniform ivec4 u_keys_shape;
uniform int u_run;
uniform int u_distance;

layout(location = 0) out uvec4 o_key;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int index = index_of(here, u_keys_shape);
    uint own = fetch(u_keys, here, u_keys_shape).x;
    uint other = fetch(u_keys, texel_at(index ^ u_distance, u_keys_shape), u_keys_shape).x;
    bool ascending = (index & u_run) == 0;
    bool first = (index & u_distance) == 0;
    o_key = uvec4(ascending == first ? min(own, other) : max(own, other));
}
