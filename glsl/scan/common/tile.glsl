// A tile of the stream in the registers of a work group: loaded, scanned, stored.
//
// Each warp has a contiguous piece of the tile: ROWS rows of WIDTH lanes, and a lane has VECTOR adjacent items. With
// tuples, either a vector holds whole ones (TUPLE divides VECTOR), or a tuple lies across DISTANCE lanes (VECTOR
// divides TUPLE). *Members* are the items at one position in all tuples; each member is scanned on its own.
//
// A split stream (SPLIT) holds many scans. The scan of an item begins anew where the bit of its index in FLAGS is set
// (FLAGGED), or at every u_width-th index. Registers hold values, and the flags as bits; sums have a flag of their own.
//
// Where scans are rows of whole warps' pieces (WARP_ROWS), none begins within a piece: only the sums of warps take heed.
//
// Where a lane has a run of adjacent vectors (RUNS), it loads that: one is in each row.
//
// On a CPU, lanes can go over a large tile vector by vector, without holding it (IN_SERIES): once for its sum, and once
// more for the result.
#ifndef IN_SERIES
#define IN_SERIES 0
#endif
#ifndef SPLIT
#define SPLIT 0
#define FLAGGED 0
#endif
#include "common/values.glsl"
#include "scan/common/totals.glsl"
#include "common/source.glsl"

uniform int u_len; // items that are bound

const int MEMBERS = TUPLE < VECTOR ? TUPLE : VECTOR; // those that a lane has in one row
const int DISTANCE = TUPLE > VECTOR ? TUPLE / VECTOR : 1; // from a lane to the next of the same members
const int WIDTH = LANES / DISTANCE * DISTANCE; // lanes with items
const int TILE = WARPS * ROWS * WIDTH * VECTOR; // items
const int LOADS = VECTOR * VALUE_WORDS / LOAD; // that make a vector
const int HELD = IN_SERIES != 0 ? 1 : ROWS; // rows in registers

#ifdef WARP_ROWS
uniform int u_row_warps; // pieces of warps in a row
uniform int u_first_warp; // the place of the first piece that is bound in its row

// The place of the loaded tile's first piece in its row.
int t_place;

void place_tile(int tile) {
    t_place = (u_first_warp + tile * WARPS) % u_row_warps;
}

// Whether a row begins with the piece of a warp of the loaded tile; with any of them up to it.
bool row_begins_at(int warp) { return (t_place + warp) % u_row_warps == 0; }
bool row_begins_up_to(int warp) { return t_place == 0 || t_place + warp >= u_row_warps; }
#endif

// Once scanned: each item combined with those before it in its vector.
Value t_items[HELD * VECTOR];
// The sum before a vector in the tile, for each of its members; in series, before all of the lane's.
Item t_before[HELD * MEMBERS];

// The number of a lane's vector in a row of a tile, among all that are bound.
int vector_of(int tile, int row) {
    return (tile * WARPS * ROWS + warp_index() * ROWS + row) * WIDTH + lane_index();
}

// The same of the vector that it loads as this row.
int vector_to_load(int tile, int row) {
#ifdef RUNS
    return ((tile * WARPS + warp_index()) * WIDTH + lane_index()) * ROWS + row;
#else
    return vector_of(tile, row);
#endif
}

#if SPLIT
#if FLAGGED
layout(std430, binding = FLAGS) readonly buffer Flags { uint b_flags[]; };
#else
uniform int u_width; // items in each scan
#endif
uniform int u_first_item; // the index of the first item that is bound

// The flags of a row in VECTOR bits, the first item's the lowest.
uint t_heads[HELD];

const uint VECTOR_BITS = (1u << uint(VECTOR)) - 1u;
// The words of flags of a warp's items. If there are no more than lanes, each lane loads one, and they exchange them.
const int FLAG_WORDS = ROWS * WIDTH * VECTOR / 32;
#define LANES_LOAD_FLAGS (LANES > 1 && ROWS * WIDTH * VECTOR % 32 == 0 && 32 % VECTOR == 0 && FLAG_WORDS <= LANES)

#if FLAGGED
// The word of flags with an item; 0 past the end of the stream.
uint flags_with(int item) {
    return item < u_len ? b_flags[READ_AT(FLAGS, (u_first_item + item) >> 5, 1)] : 0u;
}
#endif

// Finds the flags of a row by the number of its vector among all that are bound.
void load_heads(int row, int vector) {
    int first = vector * VECTOR;
#if FLAGGED
    // The bound part begins at a multiple of 32 items, or at the first.
    int bit = (u_first_item + first) & 31;
    uint heads = flags_with(first) >> uint(bit);
#if 32 % VECTOR != 0
    if (bit + VECTOR > 32) {
        heads |= flags_with(first + 32 - bit) << uint(32 - bit);
    }
#endif
    t_heads[row] = heads & VECTOR_BITS;
#else
    int place = (u_first_item + first) % u_width;
    uint heads = 0u;
    for (int i = 0; i < VECTOR; i++) {
        heads |= place == 0 ? 1u << uint(i) : 0u;
        place = place + 1 == u_width ? 0 : place + 1;
    }
    t_heads[row] = heads;
#endif
}

#if !IN_SERIES
// Finds the flags of all rows of a tile.
void load_heads_of_tile(int tile) {
#if FLAGGED
    if (LANES_LOAD_FLAGS) {
        int warp = (tile * WARPS + warp_index()) * ROWS * WIDTH * VECTOR;
        uint own = lane_index() < FLAG_WORDS ? flags_with(warp + lane_index() * 32) : 0u;
        for (int row = 0; row < ROWS; row++) {
            int item = (row * WIDTH + lane_index()) * VECTOR;
            t_heads[row] = word_at(own, min(item >> 5, LANES - 1)) >> uint(item & 31) & VECTOR_BITS;
        }
        return;
    }
    for (int row = 0; row < ROWS; row++) {
        load_heads(row, vector_of(tile, row));
    }
#else
    // A division for the first row; each row is as far from the one before.
    int place = (u_first_item + vector_of(tile, 0) * VECTOR) % u_width;
    int step = WIDTH * VECTOR % u_width;
    for (int row = 0; row < ROWS; row++) {
        // The first item of the vector, counted from the end of its scan, tells where the next ones begin.
        uint heads = place == 0 ? 1u : 0u;
        int next = u_width - place;
        for (; next < VECTOR; next += u_width) { // at most VECTOR turns
            heads |= 1u << uint(next);
        }
        t_heads[row] = heads;
        place += step;
        place -= place >= u_width ? u_width : 0;
    }
#endif
}
#endif

// Whether a scan begins at an item, or at one of its vector up to it.
bool begins_at(int row, int i) { return (t_heads[row] >> uint(i) & 1u) != 0u; }
bool begins_up_to(int row, int i) { return (t_heads[row] & ((2u << uint(i)) - 1u)) != 0u; }
#endif

#if SPLIT && LANES > 1
// The value of the given lane; undefined if there is none.
Value value_at(Value value, int lane) {
    ValueWords words = words_of_value(value);
    for (int i = 0; i < VALUE_WORDS; i++) {
        VALUE_WORD(words, i) = word_at(VALUE_WORD(words, i), lane);
    }
    return value_of_words(words);
}
#endif

// An item of a loaded tile, as one that can be combined with others.
Item tile_item(int row, int i) {
#if SPLIT
    return Item(t_items[row * VECTOR + i], uint(begins_at(row, i)));
#else
    return t_items[row * VECTOR + i];
#endif
}

// The member with a lane's number `m`.
int member_of(int m) {
    return lane_index() % DISTANCE * VECTOR + m;
}

// The number of loads in the bound stream. The last one may reach past its end.
int loads_in_stream() {
    return (u_len * VALUE_WORDS + LOAD - 1) / LOAD;
}

void take_row(int row, Loaded loaded[LOADS]) {
    for (int i = 0; i < VECTOR; i++) {
        ValueWords words;
        for (int w = 0; w < VALUE_WORDS; w++) {
            VALUE_WORD(words, w) = LOADED_WORD(loaded[(i * VALUE_WORDS + w) / LOAD], (i * VALUE_WORDS + w) % LOAD);
        }
        t_items[row * VECTOR + i] = value_of_words(words);
    }
}

void give_row(int row, out Loaded stored[LOADS]) {
    for (int i = 0; i < VECTOR; i++) {
        ValueWords words = words_of_value(t_items[row * VECTOR + i]);
        for (int w = 0; w < VALUE_WORDS; w++) {
            LOADED_WORD(stored[(i * VALUE_WORDS + w) / LOAD], (i * VALUE_WORDS + w) % LOAD) = VALUE_WORD(words, w);
        }
    }
}

// Loads a vector as a row. Items past the stream's end are undefined.
void load_vector(int row, int vector) {
    Loaded loaded[LOADS];
    for (int i = 0; i < LOADS; i++) {
        int place = vector * LOADS + i;
        loaded[i] = place < loads_in_stream() ? load_at(place) : Loaded(0u);
    }
    take_row(row, loaded);
}

// Loads a vector as the first row, with its flags.
void load_alone(int vector) {
    load_vector(0, vector);
#if SPLIT
    load_heads(0, vector);
#endif
}

// Adds the first row to the sums of the members.
void add_alone(inout Item sums[MEMBERS]) {
    for (int i = 0; i < VECTOR; i++) {
        sums[i % MEMBERS] = combine(sums[i % MEMBERS], tile_item(0, i));
    }
}

#if IN_SERIES
int t_tile_in_series = 0; // whose rows are loaded, one in place of the other

void load_row(int row) { load_alone(vector_of(t_tile_in_series, row)); }
#endif

// Loads a tile, by its number among those that are bound. Items past the stream's end are undefined.
void load_tile(int tile) {
#ifdef WARP_ROWS
    place_tile(tile);
#endif
#if IN_SERIES
    t_tile_in_series = tile;
#else
#if SPLIT
    load_heads_of_tile(tile);
#endif
    if (lane_index() >= WIDTH) {
        for (int i = 0; i < ROWS * VECTOR; i++) {
            t_items[i] = no_value();
        }
    } else if ((tile + 1) * TILE <= u_len) {
        // No test for the end: so the loads of all rows are in flight at once.
        for (int row = 0; row < ROWS; row++) {
            Loaded loaded[LOADS];
            for (int i = 0; i < LOADS; i++) {
                loaded[i] = load_at(vector_to_load(tile, row) * LOADS + i);
            }
            take_row(row, loaded);
        }
    } else {
        for (int row = 0; row < ROWS; row++) {
            load_vector(row, vector_to_load(tile, row));
        }
    }
#endif
}

// Makes items past the stream's end identities, in a row whose vector has this number among all that are bound.
void end_row(int row, int vector) {
    for (int i = 0; i < VECTOR; i++) {
        if (vector * VECTOR + i >= u_len) {
            t_items[row * VECTOR + i] = no_value();
        }
    }
}

// Scans the loaded tile, and shares the warps' totals. The group must have finished reading older ones.
void scan_tile() {
    int lane = lane_index();
    Item rows[MEMBERS];
    for (int m = 0; m < MEMBERS; m++) {
        rows[m] = identity();
    }
#if IN_SERIES
    // The sum of the lane's vectors.
    for (int row = 0; row < ROWS; row++) {
        load_row(row);
        add_alone(rows);
    }
    for (int m = 0; m < MEMBERS; m++) {
        t_before[m] = identity();
    }
#else
    // In each vector.
    for (int row = 0; row < ROWS; row++) {
        for (int i = TUPLE; i < VECTOR; i++) {
            int at = row * VECTOR + i;
#if SPLIT
            if (begins_at(row, i)) {
                continue;
            }
#endif
            t_items[at] = combine_values(t_items[at - TUPLE], t_items[at]);
        }
    }
    // In each row of lanes, and along the rows.
    for (int row = 0; row < ROWS; row++) {
#if SPLIT && LANES > 1
        // A ballot tells where scans begin, so that lanes exchange values alone.
        bool head = t_heads[row] != 0u;
        int first = first_lane(head), last = last_lane(head);
        Value sum = t_items[row * VECTOR + VECTOR - 1];
        for (int distance = 1; distance < WIDTH; distance *= 2) {
            Value left = value_at(sum, lane - distance);
            if (lane - distance >= max(last, 0)) {
                sum = combine_values(left, sum);
            }
        }
        Item left = Item(value_at(sum, lane - 1), uint(first < lane));
        t_before[row] = lane == 0 ? rows[0] : combine(rows[0], left);
        rows[0] = combine(rows[0], Item(value_at(sum, WIDTH - 1), uint(first < LANES)));
#else
        for (int m = 0; m < MEMBERS; m++) {
#if SPLIT
            Item sum = Item(t_items[row * VECTOR + VECTOR - 1], uint(t_heads[row] != 0u));
#else
            Item sum = t_items[row * VECTOR + VECTOR - MEMBERS + m];
#endif
#if LANES > 1
            Item last = sum;
            for (int distance = DISTANCE; distance < WIDTH; distance *= 2) {
                Item left = lane_up(sum, distance);
                if (lane >= distance) {
                    sum = combine(left, sum);
                }
            }
            Item left = lane_up(sum, DISTANCE);
            t_before[row * MEMBERS + m] = lane < DISTANCE ? rows[m] : combine(rows[m], left);
            rows[m] = combine(rows[m], lane_at(sum, WIDTH - DISTANCE + lane % DISTANCE));
#else
            t_before[row * MEMBERS + m] = rows[m];
            rows[m] = combine(rows[m], sum);
#endif
        }
#endif
    }
#endif
    // Along the warps.
#if GROUP > LANES
    if (lane < DISTANCE) {
        for (int m = 0; m < MEMBERS; m++) {
            set_warp_total(warp_index() * TUPLE + member_of(m), rows[m]);
        }
    }
    sync_group();
    for (int m = 0; m < MEMBERS; m++) {
        Item warps = identity();
        for (int warp = 0; warp < warp_index(); warp++) { // at most WARPS turns
            warps = combine(warps, warp_total(warp * TUPLE + member_of(m)));
#ifdef WARP_ROWS
            if (row_begins_at(warp + 1)) {
                warps = identity();
            }
#endif
        }
        for (int row = 0; row < HELD; row++) {
            t_before[row * MEMBERS + m] = combine(warps, t_before[row * MEMBERS + m]);
        }
    }
#else
    if (lane < DISTANCE) {
        for (int m = 0; m < MEMBERS; m++) {
            set_warp_total(member_of(m), rows[m]);
        }
    }
    sync_group();
#endif
}
