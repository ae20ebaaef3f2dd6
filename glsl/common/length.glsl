// The length of a stream of which only the first items count (COUNTED): u_length is one u32 on the GPU.
#include "common/fetch.glsl"

#ifdef COUNTED
uniform usampler2D u_length;
uniform ivec4 u_length_shape;
#endif

// The items of a texture of this shape that count, each made of `each` items of the stream.
int items_of(ivec4 shape, int each) {
#ifdef COUNTED
    uint length = min(fetch(u_length, ivec2(0), u_length_shape).x, 0x40000000u);
    return min(shape.w, (int(length) + each - 1) / each);
#else
    return shape.w;
#endif
}
