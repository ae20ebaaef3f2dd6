// The states of a linear system, of CARRIED items each, between tiles: tile by tile in SUMS.
//
// A tile of states (OF_STATES) has one for each invocation: its run is the state itself.
#include "scan/common/sums.glsl"

const int CARRIED = ORDER * INTERLEAVED;

// They are written by the reduce pass alone.
void publish_state(int tile, Item state[CARRIED]) {}

#include "scan/common/linear.glsl"

// The state that a lane has, or makes of zeros.
void state_of_lane(out Item state[CARRIED]) {
#if OF_STATES
    EACH_CARRIED(i) { state[i] = t_items[i]; }
#else
#if RECURS
    load_coefficients();
#endif
    sum_run(state);
#endif
}
