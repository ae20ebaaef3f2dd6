// bitonic: the keys with their indices, in runs of four, which are texels. Past the stream's end are the highest keys; they
// follow equal keys of the stream, since their indices are higher.
#include <streams>
#include "sort/bitonic/pairs.glsl"

layout(location = 0) out uvec4 o_keys;
layout(location = 1) out uvec4 o_indices;

void main() {
    ivec4 places = target_index() + ivec4(0, 1, 2, 3);
    for (int i = 0; i < 4; i++) {
        t_keys[i] = keys_at(places[i], 0xFFFFFFFFu);
    }
    t_indices = uvec4(places);
    step_in_texel(places, 2);
    step_in_texel(places, 4);
    o_keys = t_keys;
    o_indices = t_indices;
}
