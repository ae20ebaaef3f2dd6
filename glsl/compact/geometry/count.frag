// The count, which transform feedback does not leave on the GPU: RUN elements of the stream or, with COUNTS, RUN counts
// of the pass before, become one.
#include "common/fetch.glsl"
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

#if !COUNTS
// A buffer as a texture.
uvec4 fetch(usamplerBuffer stream, int item, ivec4 shape) {
    RECORD_READ(item, shape);
    return texelFetch(stream, item);
}
#endif

uint count_at(int index) {
#if COUNTS
    return fetch(u_counts, texel_at(index, u_counts_shape), u_counts_shape).x;
#elif MASKED
    return uint(fetch(u_mask, index, u_mask_shape).x != 0u);
#else
    return uint(is_kept(element_of_bits(fetch(u_values, index, u_values_shape).xy)));
#endif
}

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * RUN;
    int end = min(first + RUN, LEN);
    uint count = 0u;
    for (int index = first; index < end; index++) { // at most RUN turns
        count += count_at(index);
    }
    o_count = uvec4(count);
}
