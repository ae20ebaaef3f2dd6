// A warp of one lane: nothing to exchange.

int lane_index() { return 0; }
int warp_index() { return int(gl_LocalInvocationIndex); }

Sum lane_up(Sum sum, int distance) { return sum; }
Sum lane_down(Sum sum, int distance) { return sum; }
Sum lane_at(Sum sum, int lane) { return sum; }
uint word_at(uint word, int lane) { return word; }
int first_lane(bool holds) { return holds ? 0 : 1; }
int last_lane(bool holds) { return holds ? 0 : -1; }

// The lanes whose words have the same lowest bits: how many they are, how many of them are before this one, and the first.
ivec3 lanes_alike(uint word, int bits) { return ivec3(1, 0, 0); }
