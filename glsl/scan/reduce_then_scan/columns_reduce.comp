// Reduce columns: the sum of each column of a band.
#include "scan/reduce_then_scan/columns.glsl"
#include "scan/common/sums.glsl"

layout(local_size_x = GROUP) in;

void main() {
    int column = own_column(), band = own_band();
    if (group_index() >= u_groups || column >= u_width) {
        return;
    }
    int first = band * BAND * u_width + column;
    Item sum = source_item(first);
    for (int row = 1; row < BAND; row++) {
        sum = combine(sum, source_item(first + row * u_width));
    }
    put_sum(band * u_width + column, sum);
}
