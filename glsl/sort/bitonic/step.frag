// bitonic: one step of the network. Keys at a distance of u_distance are compared and exchanged, in runs of u_run keys that
// alternate in direction. After distance 4 come those within the texel.
#include "common/fetch.glsl"
#include "sort/bitonic/pairs.glsl"

uniform usampler2D u_keys;
uniform ivec4 u_keys_shape;
uniform usampler2D u_indices;
uniform ivec4 u_indices_shape;
uniform int u_run;
uniform int u_distance;

layout(location = 0) out uvec4 o_keys;
layout(location = 1) out uvec4 o_indices;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int texel = index_of(here, u_keys_shape);
    ivec2 there = texel_at(texel ^ (u_distance >> 2), u_keys_shape);
    ivec4 places = 4 * texel + ivec4(0, 1, 2, 3);
    t_keys = fetch(u_keys, here, u_keys_shape);
    t_indices = fetch(u_indices, here, u_indices_shape);
    uvec4 keys = fetch(u_keys, there, u_keys_shape);
    uvec4 indices = fetch(u_indices, there, u_indices_shape);
    keep(keys, indices, keep_first(places, u_run, u_distance));
    if (u_distance == 4) {
        step_in_texel(places, u_run);
    }
    o_keys = t_keys;
    o_indices = t_indices;
}
