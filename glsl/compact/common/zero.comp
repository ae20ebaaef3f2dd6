// The count of a stream without elements.
layout(local_size_x = GROUP) in;
layout(std430, binding = COUNT) writeonly buffer Count { uint b_count; };

void main() {
    b_count = 0u;
}
