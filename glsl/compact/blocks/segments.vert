// Each block becomes a segment of the result: it starts behind what the blocks before it keep, and is as long
// as what it keeps. The ends are captured, once for each of the VERTICES that will draw the segment, with
// the way that its elements move: the unwanted before the block.
#include "compact/common/sums.glsl"

uniform int u_len; // elements of the stream

flat out uvec3 v_segment; // start, end, way

void main() {
    int block = gl_VertexID / VERTICES;
    int before = block > 0 ? sum_at(block - 1) : 0;
    int up_to = sum_at(block);
    int first = block * BLOCK;
    int start = first - before;
    int end = min(first + BLOCK, u_len) - up_to;
    v_segment = uvec3(start, end, before);
    gl_Position = NOWHERE;
}
