// Addresses in a stream: 1-D index <-> 2-D texel.
//
// The engine sets a shape as <sampler>_shape, and as u_target_shape for the first target: width, log2 of the width (-1
// if it is not a power of two), height, length in items.

// Rows. In a recorded run the source's number is stored above them (common/record/reads.glsl).
int height_of(ivec4 shape) {
#ifdef RECORDED
    return shape.z & 0xFFFF;
#else
    return shape.z;
#endif
}

// The texel at an index, by shift and mask: the width must be a power of two.
ivec2 texel_at(int index, ivec4 shape) {
    return ivec2(index & (shape.x - 1), index >> shape.y);
}

// The texel at an index, for any width.
ivec2 texel_in(int index, ivec4 shape) {
    return ivec2(index % shape.x, index / shape.x);
}

// The index of a texel.
int index_of(ivec2 texel, ivec4 shape) {
    return texel.y * shape.x + texel.x;
}

// The clip-space position of a position in the target, whose whole texture is drawn: texel (x, y) reaches from (x, y)
// to (x + 1, y + 1), with its centre halfway.
vec4 position_at(vec2 place, ivec4 shape) {
    return vec4(place / vec2(shape.x, height_of(shape)) * 2.0 - 1.0, 0.0, 1.0);
}

// Outside of every target.
const vec4 NOWHERE = vec4(2.0, 2.0, 2.0, 1.0);

// The texel `distance` texels to the left, where distance is (d % width, d / width): a subtraction with borrow, for any
// width. Its row is negative if there is no such texel.
ivec2 left_of(ivec2 texel, ivec2 distance, int width) {
    ivec2 left = texel - distance;
    return left.x < 0 ? left + ivec2(width, -1) : left;
}
