// interval: an item is an interval of the stream, in one element; neighbours are joined.
#include "common/operator/plain.glsl"
#include "common/operator/join.glsl"
