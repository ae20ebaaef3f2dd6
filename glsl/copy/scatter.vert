// Scatter: each item is a point at its index, which is unsigned. One past the end of the target is left out.
#include "copy/items.glsl"
#include "common/planes.glsl"

uniform usampler2D u_indices;
uniform ivec4 u_indices_shape;

flat out uvec4 v_words;

void main() {
    gl_PointSize = 1.0;
    gl_Position = NOWHERE;
    v_words = uvec4(0u);
    int item = gl_VertexID;
#if COUNTED_RESULTS
    if (uint(item) >= fetch(u_count, ivec2(0), u_count_shape).x) {
        return;
    }
#endif
    Texel texel = Texel(0);
    copy_item(texel, 0, u_stream, item, u_stream_shape);
    for (int w = 0; w < WORDS; w++) {
        v_words[w] = word_of(texel, w);
    }
    uint index = fetch(u_indices, texel_in(item / INDEX_ITEMS, u_indices_shape), u_indices_shape)[item % INDEX_ITEMS];
    if (index < uint(u_target_shape.w)) {
        gl_Position = position_at(vec2(texel_in(int(index), u_target_shape)) + 0.5, u_target_shape);
    }
}
