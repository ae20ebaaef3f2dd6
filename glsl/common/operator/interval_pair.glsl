// interval_pair: an item is an interval of the stream, in two elements; neighbours are joined.
#include "common/operator/pair.glsl"
#include "common/operator/join.glsl"
