// Put: the first items of a stream into another one, from its item v_base up to v_end. The rest of it stays as it was.
#include "copy/items.glsl"

flat in int v_base;
flat in int v_end;

layout(location = 0) out Texel o_item;

void main() {
    int place = index_of(ivec2(gl_FragCoord.xy), u_target_shape);
    Texel item = Texel(0);
    copy_item(item, 0, u_stream, clamp(place - v_base, 0, u_stream_shape.w - 1), u_stream_shape);
    o_item = item;
    if (place < v_base || place >= v_end) {
        discard;
    }
}
