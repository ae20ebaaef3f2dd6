// Select: a single pass that counts a tile's kept elements, looks back for those of earlier tiles, and moves them.
//
// A lane has ROWS elements, each a row of its own. If lanes can vote (STRIPED), those of a warp are adjacent, and a
// vote gives each its position in the row. Otherwise a lane's elements are adjacent, and it counts them alone.
#include "common/sums/counts.glsl"
#include <lanes>
#include "common/sums/of_lanes.glsl"
#include "compact/common/buffers.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = COUNT) writeonly buffer Count { uint b_count[]; };

uniform int u_last; // 1 if the stream ends with this part

const int WARPS = GROUP / LANES;
const int TILE = GROUP * ROWS; // elements

Loaded t_rows[ROWS];
uint t_kept; // a bit for each row
int t_first; // kept in the tile before the warp, or before the lane
shared uint s_totals[WARPS];

int index_of(int tile, int row) {
    int first = (tile * WARPS + warp_index()) * LANES * ROWS;
#if STRIPED
    return first + row * LANES + lane_index();
#else
    return first + lane_index() * ROWS + row;
#endif
}

void load_tile(int tile) {
    t_kept = 0u;
    if ((tile + 1) * TILE <= bound_length(u_len)) {
        // No test for the end: so the loads of all rows are in flight at once.
        for (int row = 0; row < ROWS; row++) {
            t_rows[row] = load_at(index_of(tile, row));
        }
        for (int row = 0; row < ROWS; row++) {
            t_kept |= kept_in_whole(t_rows[row], index_of(tile, row)) << row;
        }
    } else {
        for (int row = 0; row < ROWS; row++) {
            t_rows[row] = row_at(index_of(tile, row));
            t_kept |= kept_in(t_rows[row], index_of(tile, row)) << row;
        }
    }
}

void scan_tile() {
#if STRIPED
    int total = 0;
    for (int row = 0; row < ROWS; row++) {
        total += lanes_where((t_kept >> row & 1u) != 0u);
    }
    t_first = 0;
#else
    uint own = uint(bitCount(t_kept));
    uint sum = own;
    for (int distance = 1; distance < LANES; distance *= 2) {
        uint left = lane_up(sum, distance);
        if (lane_index() >= distance) {
            sum += left;
        }
    }
    t_first = int(sum - own);
    int total = int(lane_at(sum, LANES - 1));
#endif
    if (lane_index() == 0) {
        s_totals[warp_index()] = uint(total);
    }
    sync_group();
    for (int warp = 0; warp < warp_index(); warp++) { // at most WARPS turns
        t_first += int(s_totals[warp]);
    }
}

uint tile_total(int member) {
    uint total = 0u;
    for (int warp = 0; warp < WARPS; warp++) {
        total += s_totals[warp];
    }
    return total;
}

#include "scan/common/look_back.glsl"

// Writes the tile's kept elements from `place` on.
void move_tile(int tile, int place) {
    place += t_first;
    for (int row = 0; row < ROWS; row++) {
        bool keeps = (t_kept >> row & 1u) != 0u;
#if STRIPED
        int at = place + lanes_before_where(keeps);
        place += lanes_where(keeps);
#else
        int at = place;
        place += int(keeps);
#endif
        if (keeps) {
#if MOVES_VALUES
            b_values[WRITE_AT(VALUES, at, ELEMENT_WORDS)] = element_in(t_rows[row], 0);
#endif
#if MOVES_INDICES
            b_indices[WRITE_AT(INDICES, at, 1)] = uint(u_first * TILE + index_of(tile, row));
#endif
        }
    }
}

void main() {
    int tile = next_tile();
    if (tile >= u_groups) {
        return;
    }
    int first = int(s_prefix[0]);
    move_tile(tile, first);
    int tiles = (bound_length(u_len) + TILE - 1) / TILE;
    if (u_last == 1 && tile == max(tiles, 1) - 1 && gl_LocalInvocationIndex == 0u) {
        b_count[WRITE_AT(COUNT, 0, 1)] = uint(first) + s_total[0];
    }
}
