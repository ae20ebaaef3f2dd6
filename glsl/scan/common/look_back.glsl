// Look-back: the prefix of a tile, from what the tiles before it have published.
//
// The including shader defines load_tile(tile) and scan_tile(), which take a tile among those that are bound, and
// tile_total(member). next_tile() takes a tile and finds its prefix in one of two ways: from the nearest prefix
// (nearest_prefix.glsl), or, with BLOCK, from that of a certain tile (prefix_of_block.glsl).
//
// A tile in which a row begins (WARP_ROWS, scan/common/tile.glsl) has no need of the tiles before it for its sum, which
// is a prefix at once. If it begins with a row, it does not look back at all.
//
// Groups wait a while for missing values, but not for ever: the group that should publish them may not be running.
// Then this group computes them.
#include "scan/common/states.glsl"

#define AGGREGATE (uint(u_run) << 2 | 1u) // the sums of the tile
#define PREFIX (uint(u_run) << 2 | 2u) // the sums of the tile and of all before it

uniform int u_part; // the index of the bound part of the stream
uniform int u_first; // the number of its first tile in the whole stream

#if TICKETS
shared int s_ticket;
#endif
shared int s_missing;
shared Sum s_total[TUPLE]; // of the tile
shared Sum s_prefix[TUPLE]; // of all tiles before it

// The tile that the group takes next, among those that are bound: at least u_groups if there are no more.
int take_tile() {
#if TICKETS
    if (gl_LocalInvocationIndex == 0u) {
        s_ticket = take_ticket(u_part);
    }
    sync_group();
    int tile = s_ticket;
#else
    // Where groups start in the order of their numbers, no more tiles are missing than with tickets.
    int tile = group_index();
#endif
#ifdef RECORDED
    t_tile = u_first + tile;
#endif
    return tile;
}

// Whether the loaded tile's sum is that of all before it, too.
bool is_complete(int tile) {
#ifdef WARP_ROWS
    return row_begins_up_to(WARPS - 1);
#else
    return tile == 0;
#endif
}

#ifndef BLOCK
#define BLOCK 0
#endif
#if BLOCK
#include "scan/common/prefix_of_block.glsl"
#else
#include "scan/common/nearest_prefix.glsl"
#endif
