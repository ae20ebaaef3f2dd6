// Marks what is covered with the number of the vertex, in bytes.
flat in uint v_number;

layout(location = 0) out vec4 o_mark;

void main() {
    o_mark = vec4(float(v_number & 255u) / 255.0, float(v_number >> 8) / 255.0, 0.0, 1.0);
}
