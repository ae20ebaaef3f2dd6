// The number of kept elements: all except the unwanted ones, which the last running count gives.
#include "compact/common/sums.glsl"

uniform int u_len;

layout(location = 0) out uvec4 o_count;

void main() {
    o_count = uvec4(u_len - sum_at(u_sums_shape.w - 1));
}
