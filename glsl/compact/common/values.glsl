// The stream that is compacted.
#include <element>
#include "common/fetch.glsl"

uniform Sampler u_values;
uniform ivec4 u_values_shape;
