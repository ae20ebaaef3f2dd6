// maleki2016: SAM. Persistent groups take one chunk after the other, and carry the sum before it from chunk to chunk.
//
// A chunk is a tile. Its sum is published as soon as it is known, before any waiting; a group then reads, all at
// once, the sums of the chunks between its last one and this. Orders are iterated in registers, with an exchange for
// each (rounds.glsl), or with one for all (LINEAR, exchange.glsl).
//
// Groups that take turns (IN_TURNS) keep what they carry in memory from one chunk to the next. For teaching, chunks
// withhold their sums (WITHHOLDS_ALL), so that every group computes them again.
#include "scan/common/store.glsl"
#include "scan/common/states.glsl"
#include "common/bound_length.glsl"

layout(local_size_x = GROUP) in;

// The sums before a part of the stream: CARRIED items. Those for the next part are elsewhere, since a group may read the first
// ones when others have done the part. In turns those that each group carries follow.
layout(std430, binding = CARRIES) buffer Carries { uint b_carries[]; };

uniform int u_part; // the index of the bound part of the stream
uniform int u_first; // the number of its first chunk in the whole stream
uniform int u_chunks; // in the part
uniform int u_last; // 1 if no part follows
uniform int u_ring_turns; // of the ring in a run

#ifndef LINEAR
#define LINEAR 0
#define INTERLEAVED TUPLE // streams
#endif
const int CARRIED = ORDER * INTERLEAVED;

shared int s_ticket;
// The last exchange in which a sum was missing.
shared int s_missing;
// For each order and member, order by order: the sum before the chunks to come, and after the one that is being scanned.
shared Item s_carry[CARRIED];
shared Item s_behind[CARRIED];

// Exchanges of sums are counted from 1.
int t_exchange = 0;

// The circular buffer: RING chunks, a power of two, for each order and member. So lanes that read adjacent chunks read
// adjacent words.
int place_in_ring(int chunk, int order, int member) {
    return (order * INTERLEAVED + member) * RING + ((u_first + chunk) & (RING - 1));
}

// The tag that identifies a chunk in a slot of the ring: the number of turns of the ring, in this run and those before it,
// in 16 bits, starting above 0.
uint round_of(int chunk) {
    return uint(u_run * u_ring_turns + (u_first + chunk) / RING + 1) & 0xFFFFu;
}

// Places of what is carried: into a part of the stream, and by a group that takes turns.
int into_part(int part, int i) {
    return (part & 1) * CARRIED + i;
}

int by_group(int i) {
    return (2 + THIS_GROUP) * CARRIED + i;
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

// The sums of a chunk that are exchanged at once: those of an order, or all.
const int EXCHANGED = LINEAR != 0 ? CARRIED : INTERLEAVED;

// The published sums of a chunk, from those of an order on. Returns whether they are complete.
bool has_sums(int chunk, int order, out Item sums[EXCHANGED]) {
    bool all = true;
    for (int i = 0; i < EXCHANGED; i++) {
        all = look_at(place_in_ring(chunk, order, i), sums[i]) == round_of(chunk) && all;
    }
    return all;
}

// Polls the sums of a chunk until they are there, or patience ends. Returns whether they are.
bool await_sums(int chunk, int order, out Item sums[EXCHANGED]) {
    bool there = false;
    while (t_patience > 0 && !there) { // at most SPINS turns in all
        there = has_sums(chunk, order, sums);
        t_patience--;
    }
    if (LOOKS_AGAIN != 0 || !there) {
        there = has_sums(chunk, order, sums);
    }
    return there;
}

// The published sums of a chunk. Notes if they are missing (s_missing).
void gather_sums(int chunk, int order, out Item sums[EXCHANGED]) {
    bool there = await_sums(chunk, order, sums);
    if (!there) {
        s_missing = t_exchange;
    }
#ifdef RECORDED
    for (int i = 0; i < EXCHANGED; i++) {
        int place = place_in_ring(chunk, order, i);
        if (there) {
            record_state(0u, COMBINED, place, round_of(chunk), sums[i]);
        } else {
            record_state(0u, MISSING, place, round_of(chunk), identity());
        }
    }
#endif
}

#if LINEAR
#include "scan/sam/exchange.glsl"
#else
#include "scan/sam/rounds.glsl"
#endif

void main() {
    int invocation = int(gl_LocalInvocationIndex);
    int chunks = min((bound_length(u_len) + TILE - 1) / TILE, u_chunks);
    // A group that begins when the others are far ahead would have to read all of their sums: it is not needed.
    if (invocation == 0) {
        s_missing = 0;
#ifdef IN_TURNS
        s_ticket = take_ticket(u_part);
#else
        s_ticket = b_states[ticket_at(u_run, u_part)].x > uint(RING / 2) ? chunks : take_ticket(u_part);
#endif
    }
    for (int i = invocation; i < CARRIED; i += GROUP) {
#ifdef IN_TURNS
        if (u_turn >= u_turn_groups) {
            s_carry[i] = carried(by_group(i));
            continue;
        }
#endif
        s_carry[i] = u_part > 0 ? carried(into_part(u_part, i)) : identity();
    }
    sync_group();
    int chunk = s_ticket;
    int next = 0; // the first chunk whose sum is not in s_carry
#ifdef IN_TURNS
    next = max(chunk - u_turn_groups + 1, 0);
#endif
    while (chunk < chunks) { // at most u_chunks turns
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
        while (true) { // at most 2 * u_chunks turns in all: each chunk is scanned at most twice
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
            put_carried(by_group(i), s_carry[i]);
        }
#endif
        if (chunk == chunks - 1 && u_last == 0) {
            for (int i = invocation; i < CARRIED; i += GROUP) {
                put_carried(into_part(u_part + 1, i), s_carry[i]);
            }
        }
        chunk = s_ticket;
    }
}
