// radix: the start of every place that is a multiple of SPAN, so that the others have few to search.
#include <streams>
#include "sort/radix/last_start.glsl"

layout(location = 0) out uvec4 o_mark;

void main() {
    o_mark = uvec4(last_start(target_index() * SPAN, 0, starts_len()));
}
