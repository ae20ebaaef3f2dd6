// The self-test of groups that need no barriers: values go round the group in shared memory, and are at home at the end.
#include "common/group.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = SEEN) buffer Seen { uint b_seen[]; };

shared uint s_values[GROUP];

void main() {
    int own = int(gl_LocalInvocationIndex);
    s_values[own] = uint(own) * 3u + 1u;
    sync_group();
    for (int step = 0; step < GROUP; step++) {
        uint value = s_values[(own + 1) % GROUP];
        sync_group();
        // Some take longer than others.
        for (int turn = 0; turn < own; turn++) {
            value = value * 5u + uint(step);
        }
        for (int turn = 0; turn < own; turn++) {
            value = (value - uint(step)) * 0xCCCCCCCDu; // a fifth
        }
        s_values[own] = value;
        sync_group();
    }
    b_seen[own] = s_values[own];
}
