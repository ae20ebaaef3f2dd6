// Items of WORDS words in buffers, an invocation for each result.
#include "common/group.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = STREAM) readonly buffer Stream { uint b_stream[]; };
layout(std430, binding = TARGET) writeonly buffer Target { uint b_target[]; };
#if COUNTED_RESULTS
layout(std430, binding = COUNT) readonly buffer Count { uint b_count[]; };
#endif

uniform int u_len; // results that there is room for

// The results that are written.
int results() {
#if COUNTED_RESULTS
    return int(min(b_count[READ_AT(COUNT, 0, 1)], uint(u_len)));
#else
    return u_len;
#endif
}
