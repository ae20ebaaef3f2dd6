// The totals of lanes, and of the warps of a work group: one for each member of the tuples.
#include "common/group.glsl"
#include "common/sums/items.glsl"
#include <lanes>
#include "common/sums/of_lanes.glsl"

const int WARPS = GROUP / LANES;

shared Item s_totals[WARPS * TUPLE];

Item warp_total(int place) { return SHARED_READ(ARRAY_TOTALS, place, s_totals[place]); }
void set_warp_total(int place, Item total) { s_totals[place] = SHARED_WRITE(ARRAY_TOTALS, place, total); }

#ifdef WARP_ROWS
bool row_begins_at(int warp);
#endif

// The total of a member over all warps, from the last beginning of a row on (WARP_ROWS).
Item tile_total(int member) {
    Item total = warp_total(member);
    for (int warp = 1; warp < WARPS; warp++) {
#ifdef WARP_ROWS
        if (row_begins_at(warp)) {
            total = warp_total(warp * TUPLE + member);
            continue;
        }
#endif
        total = combine(total, warp_total(warp * TUPLE + member));
    }
    return total;
}
