// The count, which transform feedback does not leave on the GPU: RUN elements of the stream or, with
// COUNTS, RUN counts of the pass before, become one.
#include "common/stream.glsl"
#include "compact/common/condition.glsl"

uniform ivec4 u_target_shape;
#if COUNTS
uniform usampler2D u_counts;
uniform ivec4 u_counts_shape;
#define LEN u_counts_shape.w
#elif MASKED
uniform usamplerBuffer u_mask;
uniform ivec4 u_mask_shape;
#define LEN u_mask_shape.w
#else
uniform usamplerBuffer u_values; // the elements' bits
uniform ivec4 u_values_shape;
#define LEN u_values_shape.w
#endif

layout(location = 0) out uvec4 o_count;

uint count_at(int index) {
#if COUNTS
    return texelFetch(u_counts, texel_at(index, u_counts_shape), 0).x;
#elif MASKED
    return uint(texelFetch(u_mask, index).x != 0u);
#else
    return uint(is_kept(element_of_bits(texelFetch(u_values, index).xy)));
#endif
}

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * RUN;
    int end = min(first + RUN, LEN);
    uint count = 0u;
    for (int index = first; index < end; index++) {
        count += count_at(index);
    }
    o_count = uvec4(count);
}
