// Reduce and finish: each work group combines its pieces; the last group to finish combines the results of all.
#define SUMS_MEMORY coherent
#include "reduce/common/pieces.glsl"
#include "reduce/common/finish.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = TICKET) coherent buffer Ticket { uint b_ticket[]; };
uniform int u_sums; // of all parts of the stream

shared bool s_last;

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    reduce_pieces();
    put_sums();
    // A group that sees the ticket below also sees the sums.
    memoryBarrierBuffer();
    sync_group();
    if (gl_LocalInvocationIndex == 0u) {
        s_last = atomicAdd(b_ticket[WRITE_AT(TICKET, 0, 1)], 1u) == uint(u_sums) - 1u;
    }
    sync_group();
    if (!s_last) {
        return;
    }
    memoryBarrierBuffer();
    finish(u_sums);
    if (gl_LocalInvocationIndex == 0u) {
        b_ticket[WRITE_AT(TICKET, 0, 1)] = 0u;
    }
}
