// The sums of lanes, added up. The shader includes the sums and <lanes> before.

// The sums of this many lanes, added in order by steps that begin with `first`: in the first lanes.
Sum sum_of_lanes(Sum sum, int first, int lanes) {
    for (int distance = first; distance < lanes; distance *= 2) { // at most log2(LANES) turns
        Sum right = lane_down(sum, distance);
        if (lane_index() + distance < lanes) {
            sum = add_sums(sum, right);
        }
    }
    return sum;
}
