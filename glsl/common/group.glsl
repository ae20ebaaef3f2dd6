// Work groups, started in one dimension or in two.
#include "common/accesses.glsl"

uniform int u_groups; // the number asked for; the extra ones return at once

int group_index() {
    return int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x);
}

// Makes the group's writes to shared memory visible to all of it.
void sync_group() {
    memoryBarrierShared();
    barrier();
    NEXT_EPOCH;
}
