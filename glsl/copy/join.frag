// Join: the first items of a stream, as many as the count says, then those of a second one.
#include "copy/items.glsl"

uniform Sampler u_second;
uniform ivec4 u_second_shape;

layout(location = 0) out Texel o_items;

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * TARGET_ITEMS;
    Texel items = Texel(0);
    int count = results();
    for (int i = 0; i < TARGET_ITEMS; i++) {
        int place = first + i;
        if (place < count) {
            copy_item(items, i, u_stream, place, u_stream_shape);
        } else if (place < u_target_shape.w) {
            copy_item(items, i, u_second, place - count, u_second_shape);
        }
    }
    o_items = items;
}
