// Each block becomes a segment of the result: it starts after the kept elements of the blocks before it, and has as
// many as it keeps. All its elements move by the same distance: the number of unwanted elements before the block.
#include "compact/common/sums.glsl"

uniform int u_len; // elements of the stream

// Start, end, distance.
uvec3 segment_of(int block) {
    int before = block > 0 ? sum_at(block - 1) : 0;
    int first = block * BLOCK;
    int start = first - before;
    int end = min(first + BLOCK, u_len) - sum_at(block);
    return uvec3(start, end, before);
}
