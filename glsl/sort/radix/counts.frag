// radix: the number of keys in each mask.
#include <streams>
#include "compact/common/bits.glsl"

layout(location = 0) out uvec4 o_counts;

void main() {
    uvec4 counts = uvec4(0u);
    for (int i = 0; i < ITEMS; i++) {
        counts[i] = uint(all_bits_in(masks_at(target_index() + i)));
    }
    o_counts = counts;
}
