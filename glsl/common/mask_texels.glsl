// The mask that a draw reads: `fetch` finds its texels.
#include "common/fetch.glsl"

#if MASKED
uniform usampler2D u_mask;
uniform ivec4 u_mask_shape;
#endif
