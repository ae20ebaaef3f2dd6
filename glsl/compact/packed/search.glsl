// The search for the group that holds an element of the result, over the number of elements kept before each group.
#include "common/fetch.glsl"
#include "common/length.glsl"

uniform usampler2D u_before; // four groups in a texel
uniform ivec4 u_before_shape;

// The last texel of four groups.
int last_four() {
    return max(items_of(u_before_shape, 128) - 1, 0) / 4;
}

// The number of elements kept before a group; of a group past the last one, more than there can be.
int before_group(int group) {
    if (group >= items_of(u_before_shape, 128)) {
        return 0x7FFFFFFF;
    }
    return int(fetch(u_before, texel_at(group / 4, u_before_shape), u_before_shape)[group % 4]);
}

// The last texel from `lower` to `upper` whose first group has no more than `rank` elements before it.
int last_up_to(int rank, int lower, int upper) {
    while (lower < upper) { // at most 22 turns
        int middle = (lower + upper + 1) / 2;
        if (int(fetch(u_before, texel_at(middle, u_before_shape), u_before_shape).x) <= rank) {
            lower = middle;
        } else {
            upper = middle - 1;
        }
    }
    return lower;
}

// The group that holds the element with `rank` kept elements before it, and the number of elements kept before the
// group. The group is among those of the texels from `lower` to `upper`.
ivec2 group_of(int rank, int lower, int upper) {
    int four = last_up_to(rank, lower, upper);
    ivec4 before = ivec4(fetch(u_before, texel_at(four, u_before_shape), u_before_shape));
    int group = four * 4;
    if (before.w <= rank) {
        return ivec2(group + 3, before.w);
    }
    if (before.z <= rank) {
        return ivec2(group + 2, before.z);
    }
    return before.y <= rank ? ivec2(group + 1, before.y) : ivec2(group, before.x);
}

// The start of a run in two words: the group of its first element, how many elements this group keeps, how many are kept
// before it, and whether the run reaches past the next group.
uvec4 start_of_run(int group, int count, int before, bool far) {
    return uvec4(uint(group) | uint(count) << 24, uint(before) | (far ? 0x80000000u : 0u), 0u, 0u);
}

int group_of_run(uvec4 start) {
    return int(start.x & 0xFFFFFFu);
}

int count_of_run(uvec4 start) {
    return int(start.x >> 24);
}

int before_run(uvec4 start) {
    return int(start.y & 0x7FFFFFFFu);
}

bool is_far(uvec4 start) {
    return start.y >= 0x80000000u;
}
