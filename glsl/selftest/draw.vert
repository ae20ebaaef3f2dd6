// The self-tests of drawing. Points, in a picture of 128 x 72: each covers the texel of its number, row by row. Lines,
// in one of 256 x 256: line y starts at the centre of texel 37 y mod 256 of its row and ends at that of the texel after
// its last. src/gl/selftest.rs and src/gl/lines.rs use the same numbers.
uniform int u_lines;

flat out uint v_number;

void main() {
    vec2 place = vec2(gl_VertexID % 128, gl_VertexID / 128);
    vec2 size = vec2(128.0, 72.0);
    if (u_lines != 0) {
        int y = gl_VertexID / 2;
        int start = y * 37 % 256;
        int end = start + y * 101 % (256 - start + 1);
        place = vec2(gl_VertexID % 2 == 0 ? start : end, y);
        size = vec2(256.0);
    }
    gl_Position = vec4((place + 0.5) * 2.0 / size - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;
    v_number = uint(gl_VertexID);
}
