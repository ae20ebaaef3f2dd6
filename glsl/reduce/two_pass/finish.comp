// Finish: one work group combines the results of all groups.
#include "reduce/common/finish.glsl"

layout(local_size_x = GROUP) in;
uniform int u_sums;

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    finish(u_sums);
}
