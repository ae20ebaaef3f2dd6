// Take: items of a stream by their indices, which are unsigned. One beyond the end takes the last item.
#include "copy/items.glsl"

uniform usampler2D u_indices;
uniform ivec4 u_indices_shape;

layout(location = 0) out Texel o_items;

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * TARGET_ITEMS;
    Texel items = Texel(0);
    int count = results();
    for (int i = 0; i < TARGET_ITEMS; i++) {
        if (first + i < count) {
            int place = first + i;
            uvec4 indices = fetch(u_indices, texel_in(place / INDEX_ITEMS, u_indices_shape), u_indices_shape);
            int index = int(min(indices[place % INDEX_ITEMS], uint(u_stream_shape.w - 1)));
            copy_item(items, i, u_stream, index, u_stream_shape);
        }
    }
    o_items = items;
}
