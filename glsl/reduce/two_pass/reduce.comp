// Reduce: each work group combines its pieces.
#include "reduce/common/pieces.glsl"

layout(local_size_x = GROUP) in;

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    reduce_pieces();
    put_sums();
}
