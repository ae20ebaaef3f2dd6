// How many are kept: the sum of the top.
uniform usampler2D u_level;

layout(location = 0) out uvec4 o_count;

void main() {
    uvec4 counts = texelFetch(u_level, ivec2(0), 0);
    o_count = uvec4(counts.x + counts.y + counts.z + counts.w);
}
