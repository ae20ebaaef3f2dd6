// The states of onesweep's tiles: one for each digit. The sums of a tile are how many of its keys have the digit, its
// prefixes where those of the next tile begin. The passes over all places share them: a status tells its place, too.
#include "scan/common/states.glsl"

#define TUPLE DIGITS // states of a tile

uint aggregate_of(int place) { return uint(u_run * PLACES + place) << 2 | 1u; }
uint prefix_of(int place) { return uint(u_run * PLACES + place) << 2 | 2u; }
