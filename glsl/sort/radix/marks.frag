// radix: the mask that holds each place that is a multiple of SPAN, so that the others have few to search.
#include <streams>
#include "sort/radix/search.glsl"

layout(location = 0) out uvec4 o_mark;

void main() {
    o_mark = uvec4(find_mask(target_index() * SPAN, 0, starts_len()).mask);
}
