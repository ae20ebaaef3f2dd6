// The start of each run of RUN elements of the result, by a search that hints shorten if there are any (HINT).
#include "compact/packed/search.glsl"

#if HINT
uniform usampler2D u_hints;
uniform ivec4 u_hints_shape;
#endif
uniform ivec4 u_target_shape;

flat in int v_count;

layout(location = 0) out uvec4 o_start;

// The start of the run whose first element has `rank` kept elements before it.
uvec4 start_at(int rank) {
#if HINT
    int hint = rank / HINT;
    int lower = int(fetch(u_hints, texel_at(hint, u_hints_shape), u_hints_shape).x);
    int upper = int(fetch(u_hints, texel_at(hint + 1, u_hints_shape), u_hints_shape).x);
#else
    int lower = 0;
    int upper = last_four();
#endif
    ivec2 found = group_of(rank, lower, upper);
    int count = min(before_group(found.x + 1) - found.y, 128);
    bool far = before_group(found.x + 2) < rank + RUN;
    return start_of_run(found.x, count, found.y, far);
}

void main() {
    int rank = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * RUN;
    if (rank < v_count) {
        o_start = start_at(rank);
    } else {
        discard;
    }
}
