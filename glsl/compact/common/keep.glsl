// The decision: an element is kept if its mask is not zero (MASKED), or if the condition holds. A texel of the stream
// and of the mask holds ITEMS of them.
#include "common/mask_texels.glsl"
#include "common/length.glsl"
#include "compact/common/condition.glsl"
#include "compact/common/values.glsl"

#if MASKED
#define DECIDING_SHAPE u_mask_shape
#else
#define DECIDING_SHAPE u_values_shape
#endif

// A bit for each item of a texel, the first one lowest: 1 if it is kept. Past the stream's end nothing is.
uint kept_at(ivec2 at) {
    uint kept = 0u;
#if MASKED
    uvec4 mask = fetch(u_mask, at, u_mask_shape);
    for (int i = 0; i < ITEMS; i++) {
        kept |= uint(mask[i] != 0u) << i;
    }
#else
    Texel values = fetch(u_values, at, u_values_shape);
    for (int i = 0; i < ITEMS; i++) {
        kept |= uint(is_kept(element_of(values, i * ELEMENT_WORDS))) << i;
    }
#endif
    int items = items_of(DECIDING_SHAPE, 1) - index_of(at, DECIDING_SHAPE) * ITEMS;
    return items >= ITEMS ? kept : kept & ((1u << max(items, 0)) - 1u);
}
