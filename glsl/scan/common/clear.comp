// Clears the states of all tiles and all tickets.
#include "common/group.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = STATES) writeonly buffer States { uvec2 b_states[]; };
uniform int u_states;

void main() {
    int at = invocation_index();
    if (at < u_states) {
        b_states[WRITE_AT(STATES, at, 2)] = uvec2(0u);
    }
}
