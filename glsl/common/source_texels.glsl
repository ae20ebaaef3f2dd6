// The stream that a draw reads first: `fetch` finds its texels. Included before all that fetches.
#include "common/item_planes.glsl"

uniform ItemSampler u_source;
uniform ivec4 u_source_shape;
