// Of a stream without elements, none is kept.
layout(location = 0) out uvec4 o_count;

void main() {
    o_count = uvec4(0u);
}
