// The count of a stream without elements: zero.
layout(location = 0) out uvec4 o_count;

void main() {
    o_count = uvec4(0u);
}
