// The keys: an element's index, with a bit above it for unwanted elements, so that kept elements sort to the front in
// their order. Past the stream's end everything is unwanted.
#include "compact/common/keep.glsl"

uniform ivec4 u_target_shape;

layout(location = 0) out uvec4 o_key;

void main() {
    int index = index_of(ivec2(gl_FragCoord.xy), u_target_shape);
    bool kept = index < DECIDING_SHAPE.w && kept_at(texel_at(index, DECIDING_SHAPE)) != 0u;
    o_key = uvec4(uint(index) | (kept ? 0u : 0x80000000u));
}
