// Marks what a line covers.
layout(location = 0) out vec4 o_mark;

void main() {
    o_mark = vec4(1.0);
}
