// Each block becomes a segment of the result: it starts behind what the blocks before it keep, and is as long
// as what it keeps. Its elements all move by the same way: the unwanted before the block.
#include "compact/common/sums.glsl"

uniform int u_len; // elements of the stream

// Start, end, way.
uvec3 segment_of(int block) {
    int before = block > 0 ? sum_at(block - 1) : 0;
    int first = block * BLOCK;
    int start = first - before;
    int end = min(first + BLOCK, u_len) - sum_at(block);
    return uvec3(start, end, before);
}
