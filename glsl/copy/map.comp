// Map: what a function of the caller's makes of each item: FROM words become TO words.
#include "common/group.glsl"
#include "copy/map.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = SOURCE) readonly buffer Source { uint b_source[]; };
layout(std430, binding = TARGET) writeonly buffer Target { uint b_target[]; };

uniform int u_len;

void main() {
    int item = invocation_index();
    if (item >= u_len) {
        return;
    }
    uint from[FROM];
    uint to[TO];
    for (int i = 0; i < FROM; i++) {
        from[i] = b_source[READ_AT(SOURCE, item * FROM + i, 1)];
    }
    map(from, item, to);
    for (int i = 0; i < TO; i++) {
        b_target[WRITE_AT(TARGET, item * TO + i, 1)] = to[i];
    }
}
