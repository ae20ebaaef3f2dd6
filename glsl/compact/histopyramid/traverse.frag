// Top-down traversal: the element with `rank` kept elements before it is in the quarter where the running sum of the
// counts passes rank; this repeats, with one fetch per level, from the top to the flags. LEVELS textures, the flags
// first.
#include "common/fetch.glsl"
#include "compact/common/move.glsl"

flat in int v_count;

uniform ivec4 u_target_shape;
#if LEVELS > 0
uniform usampler2D u_level_0;
uniform ivec4 u_level_0_shape;
#endif
#if LEVELS > 1
uniform usampler2D u_level_1;
uniform ivec4 u_level_1_shape;
#endif
#if LEVELS > 2
uniform usampler2D u_level_2;
uniform ivec4 u_level_2_shape;
#endif
#if LEVELS > 3
uniform usampler2D u_level_3;
uniform ivec4 u_level_3_shape;
#endif
#if LEVELS > 4
uniform usampler2D u_level_4;
uniform ivec4 u_level_4_shape;
#endif
#if LEVELS > 5
uniform usampler2D u_level_5;
uniform ivec4 u_level_5_shape;
#endif
#if LEVELS > 6
uniform usampler2D u_level_6;
uniform ivec4 u_level_6_shape;
#endif
#if LEVELS > 7
uniform usampler2D u_level_7;
uniform ivec4 u_level_7_shape;
#endif
#if LEVELS > 8
uniform usampler2D u_level_8;
uniform ivec4 u_level_8_shape;
#endif
#if LEVELS > 9
uniform usampler2D u_level_9;
uniform ivec4 u_level_9_shape;
#endif
#if LEVELS > 10
uniform usampler2D u_level_10;
uniform ivec4 u_level_10_shape;
#endif
#if LEVELS > 11
uniform usampler2D u_level_11;
uniform ivec4 u_level_11_shape;
#endif
#if LEVELS > 12
uniform usampler2D u_level_12;
uniform ivec4 u_level_12_shape;
#endif
#if LEVELS > 13
uniform usampler2D u_level_13;
uniform ivec4 u_level_13_shape;
#endif
#if LEVELS > 14
uniform usampler2D u_level_14;
uniform ivec4 u_level_14_shape;
#endif

// Finds the quarter that holds the element, and subtracts from its rank what the quarters before it keep.
int quarter_of(uvec4 counts, inout int rank) {
    ivec3 before = ivec3(counts.x, counts.x + counts.y, counts.x + counts.y + counts.z);
    int quarter = int(rank >= before.x) + int(rank >= before.y) + int(rank >= before.z);
    rank -= quarter == 0 ? 0 : before[quarter - 1];
    return quarter;
}

#define DESCEND(level, shape) node = node * 4 + quarter_of(fetch(level, texel_at(node, shape), shape), rank)

// The element with `rank` kept elements before it.
int element_at(int rank) {
    int node = 0;
#if LEVELS > 14
    DESCEND(u_level_14, u_level_14_shape);
#endif
#if LEVELS > 13
    DESCEND(u_level_13, u_level_13_shape);
#endif
#if LEVELS > 12
    DESCEND(u_level_12, u_level_12_shape);
#endif
#if LEVELS > 11
    DESCEND(u_level_11, u_level_11_shape);
#endif
#if LEVELS > 10
    DESCEND(u_level_10, u_level_10_shape);
#endif
#if LEVELS > 9
    DESCEND(u_level_9, u_level_9_shape);
#endif
#if LEVELS > 8
    DESCEND(u_level_8, u_level_8_shape);
#endif
#if LEVELS > 7
    DESCEND(u_level_7, u_level_7_shape);
#endif
#if LEVELS > 6
    DESCEND(u_level_6, u_level_6_shape);
#endif
#if LEVELS > 5
    DESCEND(u_level_5, u_level_5_shape);
#endif
#if LEVELS > 4
    DESCEND(u_level_4, u_level_4_shape);
#endif
#if LEVELS > 3
    DESCEND(u_level_3, u_level_3_shape);
#endif
#if LEVELS > 2
    DESCEND(u_level_2, u_level_2_shape);
#endif
#if LEVELS > 1
    DESCEND(u_level_1, u_level_1_shape);
#endif
#if LEVELS > 0
    DESCEND(u_level_0, u_level_0_shape);
#endif
    return node;
}

void main() {
    int rank = index_of(ivec2(gl_FragCoord.xy), u_target_shape);
    if (rank < v_count) {
        move_from(element_at(rank));
    } else {
        discard;
    }
}
