// Select: a single pass that counts what a tile keeps, looks back for what earlier tiles keep, and moves it.
//
// Each warp has a contiguous piece of the tile: ROWS rows of its lanes, VECTOR elements each.
#include "common/sums/counts.glsl"
#include <lanes>
#include "compact/common/buffers.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = COUNT) writeonly buffer Count { uint b_count; };

uniform int u_last; // 1 if the stream ends with this part

const int WARPS = GROUP / LANES;
const int TILE = GROUP * ROWS * VECTOR; // elements
// Counts of rows are added up several in a word: as many as there is room for.
const int BITS = LANES * VECTOR < 256 ? 8 : 16;
const int PACK = 32 / BITS;
const int PACKS = (ROWS + PACK - 1) / PACK;

Row t_rows[ROWS];
uint t_kept[ROWS];
int t_before[ROWS]; // kept in the tile before this lane's row
shared uint s_totals[WARPS];
#if STAGED
// What the tile keeps, so that neighbouring invocations write neighbouring words.
shared Moved s_staged[TILE];
#endif

int row_of(int tile, int row) {
    return (tile * WARPS * ROWS + warp_index() * ROWS + row) * LANES + lane_index();
}

void load_tile(int tile) {
    // Without a look at the end where that is far: so the loads of all rows are under way at a time.
    bool whole = (tile + 1) * TILE <= u_len;
    if (whole) {
        for (int row = 0; row < ROWS; row++) {
            t_rows[row] = b_source[row_of(tile, row)];
        }
    } else {
        for (int row = 0; row < ROWS; row++) {
            t_rows[row] = row_at(row_of(tile, row));
        }
    }
    for (int row = 0; row < ROWS; row++) {
        t_kept[row] = kept_in(t_rows[row], row_of(tile, row));
    }
}

void scan_tile() {
    uint before = 0u; // of the warp's piece
    for (int pack = 0; pack < PACKS; pack++) {
        uint counts = 0u;
        for (int i = 0; i < PACK; i++) {
            int row = min(pack * PACK + i, ROWS - 1);
            counts |= pack * PACK + i < ROWS ? uint(bitCount(t_kept[row])) << (BITS * i) : 0u;
        }
        uint sums = counts;
#if LANES > 1
        for (int distance = 1; distance < LANES; distance *= 2) {
            uint left = lane_up(sums, distance);
            if (lane_index() >= distance) {
                sums += left;
            }
        }
#endif
        uint totals = lane_at(sums, LANES - 1);
        sums -= counts;
        for (int i = 0; i < PACK; i++) {
            if (pack * PACK + i < ROWS) {
                t_before[pack * PACK + i] = int(before + (sums >> (BITS * i) & ((1u << BITS) - 1u)));
                before += totals >> (BITS * i) & ((1u << BITS) - 1u);
            }
        }
    }
    if (lane_index() == 0) {
        s_totals[warp_index()] = before;
    }
    sync_group();
    int warps = 0;
    for (int warp = 0; warp < warp_index(); warp++) {
        warps += int(s_totals[warp]);
    }
    for (int row = 0; row < ROWS; row++) {
        t_before[row] += warps;
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

// Writes what the tile keeps from place `first` on. `index` is that of the tile's first element.
void move_tile(int first, int index) {
#if STAGED
    int invocation = int(gl_LocalInvocationIndex);
    int kept = int(s_total[0]);
#if MOVES_VALUES
    for (int row = 0; row < ROWS; row++) {
        int place = t_before[row];
        for (int i = 0; i < VECTOR; i++) {
            if ((t_kept[row] >> i & 1u) != 0u) {
                s_staged[place++] = element_in(t_rows[row], i);
            }
        }
    }
    sync_group();
    for (int at = invocation; at < kept; at += GROUP) {
        b_values[first + at] = s_staged[at];
    }
#endif
#if MOVES_INDICES
    sync_group();
    for (int row = 0; row < ROWS; row++) {
        int place = t_before[row];
        for (int i = 0; i < VECTOR; i++) {
            if ((t_kept[row] >> i & 1u) != 0u) {
                s_staged[place++] = Moved(index + row_of(0, row) * VECTOR + i);
            }
        }
    }
    sync_group();
    for (int at = invocation; at < kept; at += GROUP) {
        b_indices[first + at] = uvec2(s_staged[at]).x;
    }
#endif
#else
    for (int row = 0; row < ROWS; row++) {
        move_row(t_rows[row], t_kept[row], first + t_before[row], index + row_of(0, row) * VECTOR);
    }
#endif
}

void main() {
    int tile = next_tile();
    if (tile >= u_groups) {
        return;
    }
    int first = int(s_prefix[0]);
    move_tile(first, (u_first + tile) * TILE);
    if (u_last == 1 && tile == u_groups - 1 && gl_LocalInvocationIndex == 0u) {
        b_count = uint(first) + s_total[0];
    }
}
