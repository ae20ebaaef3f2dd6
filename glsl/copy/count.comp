// Count: the sum of two counts.
#include "common/group.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = COUNT) readonly buffer Count { uint b_count[]; };
layout(std430, binding = BASE) readonly buffer Base { uint b_base[]; };
layout(std430, binding = TARGET) writeonly buffer Target { uint b_target[]; };

void main() {
    if (invocation_index() == 0) {
        b_target[WRITE_AT(TARGET, 0, 1)] = b_count[READ_AT(COUNT, 0, 1)] + b_base[READ_AT(BASE, 0, 1)];
    }
}
