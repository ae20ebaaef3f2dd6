// split: 1 for each key whose bit u_bit is 0, else 0.
#include "common/fetch.glsl"

uniform usampler2D u_keys;
uniform ivec4 u_keys_shape;
uniform int u_bit;

layout(location = 0) out uvec4 o_zeros;

void main() {
    uvec4 keys = fetch(u_keys, ivec2(gl_FragCoord.xy), u_keys_shape);
    o_zeros = ~keys >> uint(u_bit) & 1u;
}
