// The self-test of lines: line y starts at the centre of texel 37 y mod 256 of its row and ends at that of
// the texel after its last. src/gl/lines.rs knows the same numbers.
void main() {
    int y = gl_VertexID / 2;
    int start = y * 37 % 256;
    int end = start + y * 101 % (256 - start + 1);
    int x = gl_VertexID % 2 == 0 ? start : end;
    gl_Position = vec4((vec2(x, y) + 0.5) / 128.0 - 1.0, 0.0, 1.0);
}
