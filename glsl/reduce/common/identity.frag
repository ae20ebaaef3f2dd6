// The result for an empty stream, in every item of a texel.
#include "common/item.glsl"

layout(location = 0) out Texel o_sum;

void main() {
    Texel sum = Texel(0);
    for (int i = 0; i < ITEMS; i++) {
        put_item(sum, i * ITEM_WORDS, identity());
    }
    o_sum = sum;
}
