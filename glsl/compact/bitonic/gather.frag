// The key of each kept element says where the element was.
#include "compact/common/move.glsl"

uniform usampler2D u_keys;
uniform ivec4 u_keys_shape;
uniform ivec4 u_target_shape;
uniform int u_len; // elements of the stream

void main() {
    int place = index_of(ivec2(gl_FragCoord.xy), u_target_shape);
    uint key = 0x80000000u;
    if (place < u_len) {
        key = fetch(u_keys, texel_at(place, u_keys_shape), u_keys_shape).x;
    }
    if ((key & 0x80000000u) == 0u) {
        move_from(int(key));
    } else {
        discard;
    }
}
