// Heads: the index of the first item of each segment; four to a texel. Each finds its word by bisection.
#include "common/fetch.glsl"
#include "reduce/segments/heads.glsl"

uniform usampler2D u_flags; // a word to a texel
uniform ivec4 u_flags_shape;
uniform usampler2D u_counts; // heads in each word and those before it
uniform ivec4 u_counts_shape;
uniform usampler2D u_count;
uniform ivec4 u_count_shape;
uniform ivec4 u_target_shape;

layout(location = 0) out uvec4 o_heads;

uint count_at(int word) {
    return fetch(u_counts, texel_in(word / COUNTS_ITEMS, u_counts_shape), u_counts_shape)[word % COUNTS_ITEMS];
}

uint head_at(uint number) {
    int low = 0, high = u_counts_shape.w - 1;
    while (low < high) { // at most 25 turns
        int middle = (low + high) / 2;
        if (count_at(middle) <= number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    uint before = 0u;
    if (low > 0) {
        before = count_at(low - 1);
    }
    uint flags = fetch(u_flags, texel_in(low, u_flags_shape), u_flags_shape).x;
    return uint(low * 32 + position_of(heads_of(flags, low, u_target_shape.w), number - before));
}

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * 4;
    uint count = fetch(u_count, ivec2(0), u_count_shape).x;
    uvec4 heads = uvec4(0u);
    for (int i = 0; i < 4; i++) {
        if (uint(first + i) < count) {
            heads[i] = head_at(uint(first + i));
        }
    }
    o_heads = heads;
}
