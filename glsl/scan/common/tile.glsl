// A tile of the stream in the registers of a work group: loaded, scanned, stored.
//
// Each warp has a contiguous piece of the tile: ROWS rows of WIDTH lanes, and a lane has VECTOR adjacent items. With
// tuples, either a vector holds whole ones (TUPLE divides VECTOR), or a tuple lies across DISTANCE lanes (VECTOR
// divides TUPLE). *Members* are the items at one position in all tuples; each member is scanned on its own.
//
// A split stream (SPLIT) holds many scans. The scan of an item begins anew where the bit of its index in FLAGS is set
// (FLAGGED), or at every u_width-th index. Registers hold values, and the flags as bits; sums have a flag of their own.
#include "common/values.glsl"
#include "scan/common/totals.glsl"

#if LOAD == 4
#define Loaded uvec4
#define LOADED_WORD(loaded, word) loaded[word]
#elif LOAD == 2
#define Loaded uvec2
#define LOADED_WORD(loaded, word) loaded[word]
#else
#define Loaded uint
#define LOADED_WORD(loaded, word) loaded
#endif

layout(std430, binding = SOURCE) readonly buffer Source { Loaded b_source[]; };

uniform int u_len; // items that are bound

const int MEMBERS = TUPLE < VECTOR ? TUPLE : VECTOR; // those that a lane has in one row
const int DISTANCE = TUPLE > VECTOR ? TUPLE / VECTOR : 1; // from a lane to the next of the same members
const int WIDTH = LANES / DISTANCE * DISTANCE; // lanes with items
const int TILE = WARPS * ROWS * WIDTH * VECTOR; // items
const int LOADS = VECTOR * VALUE_WORDS / LOAD; // that make a vector

// Once scanned: each item combined with those before it in its vector.
Value t_items[ROWS * VECTOR];
// The sum before a vector in the tile, for each of its members.
Item t_before[ROWS * MEMBERS];

#if SPLIT
#if FLAGGED
layout(std430, binding = FLAGS) readonly buffer Flags { uint b_flags[]; };
#else
uniform int u_width; // items in each scan
#endif
uniform int u_first_item; // the index of the first item that is bound

// The flags of a row in VECTOR bits, the first item's the lowest.
uint t_heads[ROWS];

void load_heads(int row, int vector) {
    int first = vector * VECTOR;
    uint heads = 0u;
    if (first < u_len) {
#if FLAGGED
        int item = u_first_item + first;
        heads = b_flags[READ_AT(FLAGS, item >> 5, 1)] >> uint(item & 31);
        // A vector of other than a power of two may reach into the next word.
        int rest = 32 - (item & 31);
        if (rest < VECTOR && first + rest < u_len) {
            heads |= b_flags[READ_AT(FLAGS, (item >> 5) + 1, 1)] << uint(rest);
        }
        heads &= (1u << uint(VECTOR)) - 1u;
#else
        int place = (u_first_item + first) % u_width;
        for (int i = 0; i < VECTOR; i++) {
            heads |= place == 0 ? 1u << uint(i) : 0u;
            place = place + 1 == u_width ? 0 : place + 1;
        }
#endif
    }
    t_heads[row] = heads;
}

// Whether a scan begins at an item, or at one of its vector up to it.
bool begins_at(int row, int i) { return (t_heads[row] >> uint(i) & 1u) != 0u; }
bool begins_up_to(int row, int i) { return (t_heads[row] & ((2u << uint(i)) - 1u)) != 0u; }
#endif

// An item of a loaded tile, as one that can be combined with others.
Item tile_item(int row, int i) {
#if SPLIT
    return Item(t_items[row * VECTOR + i], begins_at(row, i));
#else
    return t_items[row * VECTOR + i];
#endif
}

// The member with a lane's number `m`.
int member_of(int m) {
    return lane_index() % DISTANCE * VECTOR + m;
}

// The number of a lane's vector in a row of a tile, among all that are bound.
int vector_of(int tile, int row) {
    return (tile * WARPS * ROWS + warp_index() * ROWS + row) * WIDTH + lane_index();
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

// Loads a vector as a row. Items past the stream's end are undefined.
void load_vector(int row, int vector) {
    Loaded loaded[LOADS];
    for (int i = 0; i < LOADS; i++) {
        int place = vector * LOADS + i;
        loaded[i] = place < loads_in_stream() ? b_source[READ_AT(SOURCE, place, LOAD)] : Loaded(0u);
    }
    take_row(row, loaded);
#if SPLIT
    load_heads(row, vector);
#endif
}

// Loads a tile, by its number among those that are bound. Items past the stream's end are undefined.
void load_tile(int tile) {
    if (lane_index() >= WIDTH) {
        for (int i = 0; i < ROWS * VECTOR; i++) {
            t_items[i] = no_value();
        }
#if SPLIT
        for (int row = 0; row < ROWS; row++) {
            t_heads[row] = 0u;
        }
#endif
    } else if ((tile + 1) * TILE <= u_len) {
        // No test for the end: so the loads of all rows are in flight at once.
        for (int row = 0; row < ROWS; row++) {
            Loaded loaded[LOADS];
            for (int i = 0; i < LOADS; i++) {
                loaded[i] = b_source[READ_AT(SOURCE, vector_of(tile, row) * LOADS + i, LOAD)];
            }
            take_row(row, loaded);
#if SPLIT
            load_heads(row, vector_of(tile, row));
#endif
        }
    } else {
        for (int row = 0; row < ROWS; row++) {
            load_vector(row, vector_of(tile, row));
        }
    }
}

// Scans the loaded tile, and shares the warps' totals. The group must have finished reading older ones.
void scan_tile() {
    int lane = lane_index();
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
    Item rows[MEMBERS];
    for (int m = 0; m < MEMBERS; m++) {
        rows[m] = identity();
    }
    for (int row = 0; row < ROWS; row++) {
        for (int m = 0; m < MEMBERS; m++) {
#if SPLIT
            Item sum = Item(t_items[row * VECTOR + VECTOR - 1], t_heads[row] != 0u);
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
    }
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
        for (int warp = 0; warp < warp_index(); warp++) {
            warps = combine(warps, warp_total(warp * TUPLE + member_of(m)));
        }
        for (int row = 0; row < ROWS; row++) {
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
