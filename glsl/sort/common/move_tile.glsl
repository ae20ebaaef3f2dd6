// A tile that is ranked, and moved: its keys go to shared memory in the order of their digits, and from there to their
// places in the result, so that neighbouring invocations write side by side. PAYLOADS further streams follow the keys.
//
// Past the end of the stream a tile has the highest key there is. It comes last, and is not moved.
#include "sort/common/tile.glsl"

#if MOVES_KEYS
layout(std430, binding = SORTED) writeonly buffer Sorted { uint b_sorted[]; };
#endif
#if PAYLOADS > 0
layout(std430, binding = MOVED) writeonly buffer Moved { uint b_moved[]; };
#ifdef TEXEL_LOADS
uniform usamplerBuffer u_payload;
uniform int u_payload_first;
#else
layout(std430, binding = PAYLOAD) readonly buffer Payload { uint b_payload[]; };
#endif
#endif
#if PAYLOADS > 1
layout(std430, binding = MOVED_2) writeonly buffer Moved2 { uint b_moved_2[]; };
#ifdef TEXEL_LOADS
uniform usamplerBuffer u_payload_2;
uniform int u_payload_2_first;
#else
layout(std430, binding = PAYLOAD_2) readonly buffer Payload2 { uint b_payload_2[]; };
#endif
#endif

const int MEMORY = WARPS * DIGITS > TILE ? WARPS * DIGITS : TILE;

uint t_keys[ROWS];
uint t_ranks[ROWS]; // the places of the keys in the tile
shared uint s_memory[MEMORY]; // the counts of each warp, then keys or payloads in their order

// The place in shared memory of the count of a digit, for the invocation's warp.
int count_at(uint digit) {
    return warp_index() * DIGITS + int(digit);
}

// Loads a tile, and counts its digits.
void load_tile(int tile) {
    for (int at = int(gl_LocalInvocationIndex); at < WARPS * DIGITS; at += GROUP) { // at most EACH * WARPS turns
        s_memory[at] = 0u;
    }
    for (int row = 0; row < ROWS; row++) {
        int index = index_of(tile, row);
        t_keys[row] = 0xFFFFFFFFu;
        if (index < u_len) {
            t_keys[row] = key_at(index);
        }
    }
    sync_group();
    for (int row = 0; row < ROWS; row++) {
        int at = count_at(digit_at(t_keys[row], u_place));
#if LANES == 1
        s_memory[at]++;
#else
        atomicAdd(s_memory[at], 1u);
#endif
    }
    sync_group();
    for (int i = 0; i < EACH; i++) {
        t_counts[i] = 0u;
        for (int warp = 0; warp < WARPS && own_digit(i) < DIGITS; warp++) { // at most WARPS turns
            t_counts[i] += s_memory[warp * DIGITS + own_digit(i)];
        }
    }
}

// Ranks the keys of the tile that is loaded, and brings them in their order.
void rank_tile() {
    begin_digits();
    // Each warp's keys with a digit come after those of earlier warps.
    for (int i = 0; i < EACH; i++) {
        uint begin = t_begins[i];
        for (int warp = 0; warp < WARPS && own_digit(i) < DIGITS; warp++) { // at most WARPS turns
            uint count = s_memory[warp * DIGITS + own_digit(i)];
            s_memory[warp * DIGITS + own_digit(i)] = begin;
            begin += count;
        }
    }
    sync_group();
    for (int row = 0; row < ROWS; row++) {
        uint digit = digit_at(t_keys[row], u_place);
#if LANES == 1
        t_ranks[row] = s_memory[count_at(digit)]++;
#else
        // The first of the lanes with this digit takes the places of them all.
        ivec3 alike = lanes_alike(digit, WIDTH);
        uint before = 0u;
        if (alike.y == 0) {
            before = atomicAdd(s_memory[count_at(digit)], uint(alike.x));
        }
        t_ranks[row] = word_at(before, alike.z) + uint(alike.y);
#endif
    }
    sync_group();
    for (int row = 0; row < ROWS; row++) {
        s_memory[t_ranks[row]] = t_keys[row];
    }
}

// Sets the place in the result where the tile's keys with the invocation's digit number `i` begin.
void start_digit(int i, uint start) {
    int digit = own_digit(i);
    if (digit < DIGITS) {
        s_digits[digit] = start - t_begins[i];
    }
}

// Moves the tile. To be called by the whole group, after all have set their starts.
void move_tile(int tile) {
    int own = int(gl_LocalInvocationIndex);
    int end = u_len - tile * TILE; // at least the keys of the tile
    int targets[ROWS];
    for (int row = 0; row < ROWS; row++) {
        int place = row * GROUP + own;
        uint key = s_memory[place];
        targets[row] = int(s_digits[digit_at(key, u_place)]) + place;
#if MOVES_KEYS
        if (place < end) {
            b_sorted[WRITE_AT(SORTED, targets[row], 1)] = key;
        }
#endif
    }
#if PAYLOADS > 0
    sync_group();
    for (int row = 0; row < ROWS; row++) {
        int index = index_of(tile, row);
        if (index < u_len) {
#ifdef TEXEL_LOADS
            s_memory[t_ranks[row]] = texelFetch(u_payload, u_payload_first + READ_AT(PAYLOAD, index, 1)).x;
#else
            s_memory[t_ranks[row]] = b_payload[READ_AT(PAYLOAD, index, 1)];
#endif
        }
    }
    sync_group();
    for (int row = 0; row < ROWS; row++) {
        int place = row * GROUP + own;
        if (place < end) {
            b_moved[WRITE_AT(MOVED, targets[row], 1)] = s_memory[place];
        }
    }
#endif
#if PAYLOADS > 1
    sync_group();
    for (int row = 0; row < ROWS; row++) {
        int index = index_of(tile, row);
        if (index < u_len) {
#ifdef TEXEL_LOADS
            s_memory[t_ranks[row]] = texelFetch(u_payload_2, u_payload_2_first + READ_AT(PAYLOAD_2, index, 1)).x;
#else
            s_memory[t_ranks[row]] = b_payload_2[READ_AT(PAYLOAD_2, index, 1)];
#endif
        }
    }
    sync_group();
    for (int row = 0; row < ROWS; row++) {
        int place = row * GROUP + own;
        if (place < end) {
            b_moved_2[WRITE_AT(MOVED_2, targets[row], 1)] = s_memory[place];
        }
    }
#endif
}
