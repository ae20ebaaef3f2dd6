// Items and flags in buffers, an invocation for each item.
#include "common/group.glsl"
#include "scan/option_passes/places.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = SOURCE) readonly buffer Source { uint b_source[]; };
layout(std430, binding = TARGET) writeonly buffer Target { uint b_target[]; };
#ifdef FLAGS
layout(std430, binding = FLAGS) readonly buffer Flags { uint b_flags[]; };
#endif

#if FLAGGED
bool flag_at(int index) {
#ifdef FLAGS
    return (b_flags[READ_AT(FLAGS, index >> 5, 1)] >> uint(index & 31) & 1u) != 0u;
#else
    return false;
#endif
}
#endif
