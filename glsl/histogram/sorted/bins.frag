// sorted: the bin of each item.
#include <streams>
#define edge_at edges_at
#include "histogram/common/bins.glsl"

layout(location = 0) out uvec4 o_bins;

void main() {
    int first = target_index();
    Texel items = fetch(u_items, texel_in(first / ITEMS, u_items_shape), u_items_shape);
    uvec4 bins = uvec4(BINS);
    for (int i = 0; i < ITEMS; i++) {
        if (first + i < items_len()) {
            bins[i] = uint(bin_of(element_of(items, i)));
        }
    }
    o_bins = bins;
}
