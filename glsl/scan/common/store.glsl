// The result of a tile: what stands before the tile combined with what was scanned, and written.
#include "scan/common/tile.glsl"

layout(std430, binding = TARGET) writeonly buffer Target { Loaded b_target[]; };

// The result of a lane's item number `i` in a row, given what stands before its vector.
Item result_of(int row, int i, Item before[MEMBERS]) {
#if EXCLUSIVE
    if (i < MEMBERS) {
        return before[i];
    }
    return combine(before[i % MEMBERS], t_items[row * VECTOR + i - TUPLE]);
#else
    return combine(before[i % MEMBERS], t_items[row * VECTOR + i]);
#endif
}

// Writes the tile, by its number among those that are bound. `prefix` is what stands before it.
void store_tile(int tile, Item prefix[MEMBERS]) {
    int first = tile * (TILE / VECTOR) * LOADS;
    int end = (u_len * ITEM_WORDS + LOAD - 1) / LOAD;
    bool whole = first + TILE / VECTOR * LOADS <= end;
    if (lane_index() >= WIDTH) {
        return;
    }
    for (int row = 0; row < ROWS; row++) {
        Item before[MEMBERS];
        for (int m = 0; m < MEMBERS; m++) {
            before[m] = combine(prefix[m], t_before[row * MEMBERS + m]);
        }
        Loaded stored[LOADS];
        for (int i = 0; i < VECTOR; i++) {
            uvec4 words = words_of_item(result_of(row, i, before));
            for (int w = 0; w < ITEM_WORDS; w++) {
                LOADED_WORD(stored[(i * ITEM_WORDS + w) / LOAD], (i * ITEM_WORDS + w) % LOAD) = words[w];
            }
        }
        for (int i = 0; i < LOADS; i++) {
            int place = first + place_of_row(row) + i;
            if (whole || place < end) {
                b_target[place] = stored[i];
            }
        }
    }
}
