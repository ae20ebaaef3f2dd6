// The result of a tile: the prefix of the tile combined with the scanned items, and written.
#include "scan/common/tile.glsl"

layout(std430, binding = TARGET) writeonly buffer Target { Loaded b_target[]; };

// Writes the items of a row as a vector, as far as the stream reaches.
void put_vector(int row, int vector) {
    Loaded stored[LOADS];
    give_row(row, stored);
    for (int i = 0; i < LOADS; i++) {
        int place = vector * LOADS + i;
        if (place < loads_in_stream()) {
            b_target[WRITE_AT(TARGET, place, LOAD)] = stored[i];
        }
    }
}

// Scans the first row behind `sums`, which then include it.
void scan_alone(inout Item sums[MEMBERS]) {
    for (int i = 0; i < VECTOR; i++) {
        Item sum = combine(sums[i % MEMBERS], tile_item(0, i));
#if SPLIT
        Value before = sums[0].value;
        if (begins_at(0, i)) {
            before = no_value();
        }
        t_items[i] = EXCLUSIVE != 0 ? before : sum.value;
#else
        t_items[i] = EXCLUSIVE != 0 ? sums[i % MEMBERS] : sum;
#endif
        sums[i % MEMBERS] = sum;
    }
}

#if IN_SERIES
// Notes what comes before the lane's vectors: `prefix` before the tile, and the rest of the tile.
void complete_tile(Item prefix[MEMBERS], bool exclusive) {
#ifdef WARP_ROWS
    if (row_begins_up_to(warp_index())) {
        return;
    }
#endif
    for (int m = 0; m < MEMBERS; m++) {
        t_before[m] = combine(prefix[m], t_before[m]);
    }
}

// Scans the vectors behind that, and writes them as a tile by its number among those that are bound.
void put_tile(int tile) {
    Item sums[MEMBERS];
    for (int m = 0; m < MEMBERS; m++) {
        sums[m] = t_before[m];
    }
    for (int row = 0; row < ROWS; row++) {
        load_row(row);
        scan_alone(sums);
        put_vector(0, vector_of(tile, row));
    }
}
#else
// Writes the items as they are, as a tile by its number among those that are bound.
void put_tile(int tile) {
    if (lane_index() >= WIDTH) {
        return;
    }
    if ((tile + 1) * TILE <= u_len) {
        for (int row = 0; row < ROWS; row++) {
            Loaded stored[LOADS];
            give_row(row, stored);
            for (int i = 0; i < LOADS; i++) {
                b_target[WRITE_AT(TARGET, vector_of(tile, row) * LOADS + i, LOAD)] = stored[i];
            }
        }
    } else {
        for (int row = 0; row < ROWS; row++) {
            put_vector(row, vector_of(tile, row));
        }
    }
}

// Combines the items with those before them: `prefix` before the tile, and the rest of the tile. Then they are
// inclusive, or if `exclusive` is set shifted by one tuple.
void complete_tile(Item prefix[MEMBERS], bool exclusive) {
    for (int row = 0; row < ROWS; row++) {
        Item before[MEMBERS];
        for (int m = 0; m < MEMBERS; m++) {
            before[m] = t_before[row * MEMBERS + m];
#ifdef WARP_ROWS
            if (row_begins_up_to(warp_index())) {
                continue;
            }
#endif
            before[m] = combine(prefix[m], before[m]);
        }
        // Backwards, since an item's left neighbour is needed unchanged.
        for (int i = VECTOR - 1; i >= 0; i--) {
            int at = row * VECTOR + i;
#if SPLIT
            // The items before the vector count up to the first beginning in it.
            if (!exclusive) {
                if (!begins_up_to(row, i)) {
                    t_items[at] = combine_values(before[0].value, t_items[at]);
                }
            } else if (begins_at(row, i)) {
                t_items[at] = no_value();
            } else if (i == 0) {
                t_items[at] = before[0].value;
            } else if (begins_up_to(row, i)) {
                t_items[at] = t_items[max(at - 1, 0)];
            } else {
                t_items[at] = combine_values(before[0].value, t_items[max(at - 1, 0)]);
            }
#else
            if (!exclusive) {
                t_items[at] = combine(before[i % MEMBERS], t_items[at]);
            } else if (i < MEMBERS) {
                t_items[at] = before[i % MEMBERS];
            } else {
                t_items[at] = combine(before[i % MEMBERS], t_items[max(at - TUPLE, 0)]);
            }
#endif
        }
    }
}
#endif

// Writes the result of the tile, by its number among those that are bound. `prefix` is the sum before it.
void store_tile(int tile, Item prefix[MEMBERS]) {
    complete_tile(prefix, EXCLUSIVE != 0);
    put_tile(tile);
}
