// The first pass: 1 for each unwanted element, or with UNWANTED 0 for each kept one. The stream has one element per
// texel; the flags have PER_TEXEL.
#include "compact/common/keep.glsl"

layout(location = 0) out uvec4 o_flags;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    uvec4 flags = uvec4(0u);
    for (int i = 0; i < PER_TEXEL; i++) {
        flags[i] = kept_at(ivec2(here.x * PER_TEXEL + i, here.y)) ^ uint(UNWANTED);
    }
    o_flags = flags;
}
