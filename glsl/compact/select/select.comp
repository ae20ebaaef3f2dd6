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
// Counts of rows are added up several in a word: as many as there is room for.
const int BITS = LANES * VECTOR < 256 ? 8 : 16;
const int PACK = 32 / BITS;
const int PACKS = (ROWS + PACK - 1) / PACK;

Row t_rows[ROWS];
uint t_kept[ROWS];
int t_before[ROWS]; // kept in the tile before this lane's row
shared uint s_totals[WARPS];

int row_of(int tile, int row) {
    return (tile * WARPS * ROWS + warp_index() * ROWS + row) * LANES + lane_index();
}

void load_tile(int tile) {
    for (int row = 0; row < ROWS; row++) {
        t_rows[row] = row_at(row_of(tile, row));
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

void main() {
    int tile = next_tile();
    if (tile >= u_groups) {
        return;
    }
    int first = int(s_prefix[0]);
    int index = (u_first * WARPS * ROWS * LANES) * VECTOR; // of the part's first element
    for (int row = 0; row < ROWS; row++) {
        move_row(t_rows[row], t_kept[row], first + t_before[row], index + row_of(tile, row) * VECTOR);
    }
    if (u_last == 1 && tile == u_groups - 1 && gl_LocalInvocationIndex == 0u) {
        b_count = uint(first) + s_total[0];
    }
}
