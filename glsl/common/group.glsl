// Work groups, whether they were started in one dimension or in two.
#include "common/accesses.glsl"

uniform int u_groups; // those that were asked for; the others return at once

int group_index() {
    return int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x);
}

// What the group has written to shared memory is seen by all of it.
void sync_group() {
    memoryBarrierShared();
    barrier();
    NEXT_EPOCH;
}
