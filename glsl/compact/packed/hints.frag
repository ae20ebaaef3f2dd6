// A hint for every HINT elements of the result: the texel of four groups that holds the first of them.
#include "compact/packed/search.glsl"

uniform ivec4 u_target_shape;

layout(location = 0) out uvec4 o_hint;

void main() {
    int rank = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * HINT;
    o_hint = uvec4(last_up_to(rank, 0, last_four()));
}
