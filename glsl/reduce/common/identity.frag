// The sum of nothing.
#include "common/item.glsl"

layout(location = 0) out Texel o_sum;

void main() {
    o_sum = texel_of(identity());
}
