// Work groups, started in one dimension or in two.
#include "common/accesses.glsl"

uniform int u_groups; // the number asked for; the extra ones return at once

int group_index() {
    return THIS_GROUP;
}

// The number of the invocation among all that were asked for.
int invocation_index() {
    return group_index() * GROUP + int(gl_LocalInvocationIndex);
}

// The invocations that run each instruction together, so that groups of no more need no barriers.
#ifndef LOCKSTEP
#define LOCKSTEP 0
#endif

// Makes the group's writes to shared memory visible to all of it.
void sync_group() {
    memoryBarrierShared();
#if GROUP > LOCKSTEP
    barrier();
#endif
    NEXT_EPOCH;
}
