// The work groups of each dispatch over a stream of which only the first items count: all that these need, and at least
// one if the dispatch covers the first item.
#include "common/group.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = LENGTH) readonly buffer Length { uint b_length[]; };
// For each dispatch: all its groups, the items for as many of them as are needed together, its first item, and how many
// those groups are.
layout(std430, binding = DISPATCHES) readonly buffer Dispatches { uint b_dispatches[]; };
// Groups along x, y and z, as an indirect dispatch reads them, and an unused word.
layout(std430, binding = GROUPS) writeonly buffer Groups { uint b_groups[]; };

uniform int u_dispatches;

void main() {
    for (int i = int(gl_LocalInvocationIndex); i < u_dispatches; i += GROUP) { // at most u_dispatches / GROUP + 1 turns
        uint all = b_dispatches[4 * i], each = b_dispatches[4 * i + 1], first = b_dispatches[4 * i + 2];
        uint together = b_dispatches[4 * i + 3];
        uint length = min(b_length[0], 0x40000000u);
        uint groups = length >= first ? min(((length - first) / each + 1u) * together, all) : 0u;
        // Rows of groups, as the engine starts more than it can in one dimension.
        uint rows = (groups + uint(MOST_GROUPS) - 1u) / uint(MOST_GROUPS);
        b_groups[4 * i] = rows > 1u ? uint(MOST_GROUPS) : groups;
        b_groups[4 * i + 1] = max(rows, 1u);
        b_groups[4 * i + 2] = 1u;
        b_groups[4 * i + 3] = 0u;
    }
}
