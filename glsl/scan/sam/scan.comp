// maleki2016: SAM. Persistent groups take one chunk after the other, and carry the sum before it from chunk to chunk.
//
// A chunk is a tile. Its sum is published as soon as it is known, before any waiting; a group then reads, all at
// once, the sums of the chunks between its last one and this. Orders are iterated in registers.
//
// Groups that take turns (IN_TURNS) keep what they carry in memory from one chunk to the next. For teaching, chunks
// withhold their sums (WITHHOLDS_ALL), so that every group computes them again.
#include "scan/common/store.glsl"
#include "scan/common/states.glsl"
#include "common/bound_length.glsl"

layout(local_size_x = GROUP) in;

// The sums before a part of the stream: ORDER * TUPLE items. In turns those that each group carries follow.
layout(std430, binding = CARRIES) buffer Carries { uint b_carries[]; };

uniform int u_part; // the index of the bound part of the stream
uniform int u_first; // the number of its first chunk in the whole stream
uniform int u_chunks; // in the part
uniform int u_last; // 1 if no part follows

const int CARRIED = ORDER * TUPLE;

shared int s_ticket;
// The last exchange in which a sum was missing.
shared int s_missing;
#if IN_ORDER
shared Item s_sums[GROUP];
shared Item s_sum[TUPLE];
#else
shared Item s_fold[WARPS * TUPLE];
#endif
// For each order and member: the sum before the chunks to come, and after the one that is being scanned.
shared Item s_carry[CARRIED];
shared Item s_behind[CARRIED];

// Exchanges of sums are counted from 1.
int t_exchange = 0;

// The polls that this invocation may still waste. llvmpipe counts the iterations of all loops together.
int t_patience = SPINS;

// The circular buffer: RING chunks, a power of two, each with the sums of all orders.
int place_in_ring(int chunk, int order, int member) {
    return (((u_first + chunk) & (RING - 1)) * ORDER + order) * TUPLE + member;
}

// The tag that identifies a chunk in a slot of the ring: the number of turns of the ring, in 16 bits, starting above 0.
uint round_of(int chunk) {
    return uint((u_first + chunk) / RING + 1) & 0xFFFFu;
}

// The published values of a chunk for one order. Returns whether they are complete.
bool has_sums(int chunk, int order, out Item sums[TUPLE]) {
    bool all = true;
    for (int m = 0; m < TUPLE; m++) {
        all = look_at(place_in_ring(chunk, order, m), sums[m]) == round_of(chunk) && all;
    }
    return all;
}

// Polls the sums of a chunk until they are there, or patience ends. Returns whether they are.
bool await_sums(int chunk, int order, out Item sums[TUPLE]) {
    while (t_patience > 0 && !has_sums(chunk, order, sums)) {
        t_patience--;
    }
    // Once more, outside of the loop: llvmpipe forgets what an invocation has found in a loop that it leaves before
    // others do (Mesa 22.3.6).
    return has_sums(chunk, order, sums);
}

// Reads the sums of the chunks from `from` to before `to`, and shares them. Returns whether all of them were there. To
// be called by the whole group.
bool gather(int from, int to, int order) {
    int invocation = int(gl_LocalInvocationIndex);
    t_exchange++;
#if IN_ORDER
    // One after the other: sums of floats depend on the order of combination, and this is the one order that does not
    // depend on which group waited for which.
    for (int m = invocation; m < TUPLE; m += GROUP) {
        s_sum[m] = s_carry[order * TUPLE + m];
    }
#else
    Item folded[TUPLE];
    for (int m = 0; m < TUPLE; m++) {
        folded[m] = identity();
    }
#endif
    // A group that is behind may have more chunks to poll than invocations.
    for (int batch = from; batch < to; batch += GROUP) {
        int chunk = batch + invocation;
        Item sums[TUPLE];
        for (int m = 0; m < TUPLE; m++) {
            sums[m] = identity();
        }
        bool there = chunk >= to || await_sums(chunk, order, sums);
        if (!there) {
            s_missing = t_exchange;
        }
#ifdef RECORDED
        for (int m = 0; m < TUPLE && chunk < to; m++) {
            int place = place_in_ring(chunk, order, m);
            if (there) {
                record_state(0u, COMBINED, place, round_of(chunk), sums[m]);
            } else {
                record_state(0u, MISSING, place, NOTHING, identity());
            }
        }
#endif
#if IN_ORDER
        for (int m = 0; m < TUPLE; m++) {
            s_sums[invocation] = sums[m];
            sync_group();
            if (invocation == 0) {
                Item sum = s_sum[m];
                for (int i = 0; i < min(to - batch, GROUP); i++) {
                    sum = combine(sum, s_sums[i]);
                }
                s_sum[m] = sum;
            }
            sync_group();
        }
    }
    sync_group();
#else
        for (int m = 0; m < TUPLE; m++) {
            Item sum = sums[m];
            for (int distance = 1; distance < LANES; distance *= 2) {
                Item right = lane_down(sum, distance);
                if (lane_index() + distance < LANES) {
                    sum = combine(sum, right);
                }
            }
            if (batch == from) {
                folded[m] = sum;
            } else {
                // The batch before, of all warps, comes first.
                if (lane_index() == 0) {
                    s_fold[warp_index() * TUPLE + m] = folded[m];
                }
                sync_group();
                Item before = s_fold[m];
                for (int warp = 1; warp < WARPS; warp++) {
                    before = combine(before, s_fold[warp * TUPLE + m]);
                }
                folded[m] = warp_index() == 0 ? combine(before, sum) : sum;
                sync_group();
            }
        }
    }
    if (lane_index() == 0) {
        for (int m = 0; m < TUPLE; m++) {
            s_fold[warp_index() * TUPLE + m] = folded[m];
        }
    }
    sync_group();
#endif
    return s_missing != t_exchange;
}

// The sum before the chunk, once it is gathered.
Item before_chunk(int order, int member) {
#if IN_ORDER
    return s_sum[member];
#else
    Item before = s_carry[order * TUPLE + member];
    for (int warp = 0; warp < WARPS; warp++) {
        before = combine(before, s_fold[warp * TUPLE + member]);
    }
    return before;
#endif
}

Item carried(int place) {
    Words words;
    for (int i = 0; i < ITEM_WORDS; i++) {
        WORD(words, i) = b_carries[READ_AT(CARRIES, place * ITEM_WORDS + i, 1)];
    }
    return item_of_words(words);
}

void put_carried(int place, Item item) {
    Words words = words_of_item(item);
    for (int i = 0; i < ITEM_WORDS; i++) {
        b_carries[WRITE_AT(CARRIES, place * ITEM_WORDS + i, 1)] = WORD(words, i);
    }
}

// Scans a loaded chunk, in all orders. Chunks from `from` on are not in s_carry. Returns whether all sums between them
// and the chunk were there.
bool scan_chunk(int chunk, int from, bool publishes) {
    int invocation = int(gl_LocalInvocationIndex);
    for (int order = 0; order < ORDER; order++) {
        scan_tile();
        for (int m = invocation; m < TUPLE; m += GROUP) {
            Item total = tile_total(m);
            s_behind[order * TUPLE + m] = total;
#ifndef WITHHOLDS_ALL
            if (publishes) {
                publish(place_in_ring(chunk, order, m), round_of(chunk), total);
            }
#endif
        }
        if (!gather(from, chunk, order)) {
            return false;
        }
        Item before[MEMBERS];
        for (int m = 0; m < MEMBERS; m++) {
            before[m] = before_chunk(order, member_of(m));
        }
        complete_tile(before, EXCLUSIVE != 0 && order == ORDER - 1);
        for (int m = invocation; m < TUPLE; m += GROUP) {
            s_behind[order * TUPLE + m] = combine(before_chunk(order, m), s_behind[order * TUPLE + m]);
        }
    }
    return true;
}

void main() {
    int invocation = int(gl_LocalInvocationIndex);
    int chunks = min((bound_length(u_len) + TILE - 1) / TILE, u_chunks);
    // A group that begins when the others are far ahead would have to read all of their sums: it is not needed.
    if (invocation == 0) {
        s_missing = 0;
#ifdef IN_TURNS
        s_ticket = take_ticket(u_part);
#else
        s_ticket = b_states[u_part].x > uint(RING / 2) ? chunks : take_ticket(u_part);
#endif
    }
    for (int i = invocation; i < CARRIED; i += GROUP) {
#ifdef IN_TURNS
        if (u_turn >= u_turn_groups) {
            s_carry[i] = carried((1 + THIS_GROUP) * CARRIED + i);
            continue;
        }
#endif
        s_carry[i] = u_part > 0 ? carried(i) : identity();
    }
    sync_group();
    int chunk = s_ticket;
    int next = 0; // the first chunk whose sum is not in s_carry
#ifdef IN_TURNS
    next = max(chunk - u_turn_groups + 1, 0);
#endif
    while (chunk < chunks) {
        // The next chunk is this group's too, so asking for it takes no time.
#ifdef IN_TURNS
        int ticket = chunks;
#else
        int ticket = invocation == 0 ? take_ticket(u_part) : 0;
#endif
#ifdef RECORDED
        t_tile = u_first + chunk;
#endif
        // If a sum is missing, all chunks from the next to this one are scanned here, and then nothing is.
        int at = chunk;
        while (true) {
            load_tile(at);
            bool done = scan_chunk(at, next, at == chunk);
            // All have read what is about to be overwritten.
            sync_group();
            if (!done) {
                at = next;
                continue;
            }
            for (int i = invocation; i < CARRIED; i += GROUP) {
                s_carry[i] = s_behind[i];
            }
            next = at + 1;
            if (at == chunk) {
                break;
            }
            at++;
            // All lanes go on together: without this the next scan was wrong on an H200.
            sync_group();
        }
        put_tile(chunk);
        if (invocation == 0) {
            s_ticket = ticket;
        }
        sync_group();
#ifdef IN_TURNS
        for (int i = invocation; i < CARRIED; i += GROUP) {
            put_carried((1 + THIS_GROUP) * CARRIED + i, s_carry[i]);
        }
#endif
        if (chunk == chunks - 1 && u_last == 0) {
            for (int i = invocation; i < CARRIED; i += GROUP) {
                put_carried(i, s_carry[i]);
            }
        }
        chunk = s_ticket;
    }
}
