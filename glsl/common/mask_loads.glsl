// The loads of a mask beside the stream of a dispatch, VECTOR words at a time. On a CPU it is read as a texture, as in
// common/loads.glsl.
#if MASKED
#ifdef TEXEL_LOADS
uniform usamplerBuffer u_mask;
uniform int u_mask_first; // the first texel that is bound
MaskRow mask_at(int row) {
    return MaskRow(texelFetch(u_mask, u_mask_first + READ_AT(MASK, row, VECTOR)));
}
#else
layout(std430, binding = MASK) readonly buffer Mask { MaskRow b_mask[]; };
MaskRow mask_at(int row) {
    return b_mask[READ_AT(MASK, row, VECTOR)];
}
#endif
#endif
