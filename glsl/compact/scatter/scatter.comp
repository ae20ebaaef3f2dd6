// Scatter: each kept element goes to the index that the scan of the flags gives it.
#include "compact/common/buffers.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = SUMS) readonly buffer Sums { uint b_sums[]; };
layout(std430, binding = COUNT) writeonly buffer Count { uint b_count[]; };

uniform int u_index; // of the part's first element
uniform int u_last; // 1 if the stream ends with this part

void main() {
    int row = invocation_index();
    if (row * VECTOR >= u_len) {
        return;
    }
    Loaded words = row_at(row);
    uint kept = kept_in(words, row);
    // All kept elements of a row go to neighbouring positions.
    int place = int(b_sums[READ_AT(SUMS, row * VECTOR, 1)]);
    move_row(words, kept, place, u_index + row * VECTOR);
    if (u_last == 1 && (row + 1) * VECTOR >= u_len) {
        b_count[WRITE_AT(COUNT, 0, 1)] = uint(place + bitCount(kept));
    }
}
