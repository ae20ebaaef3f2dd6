// The states that tiles publish, for others to read at any time: a status and a sum.
//
// A word is published in two halves, each with the status beside it, so that a reader detects half of an old and half
// of a new one. No bit of the sums is lost, nothing wider than 32 bits need be atomic, and no memory order is needed.

// In front of the sums are the tickets, if groups take any: one for each part of the stream. Behind them are those of every other run.
layout(std430, binding = STATES) coherent volatile buffer States { uvec2 b_states[]; };

const uint NOTHING = 0u;

// The polls that this invocation may still waste, whatever it waits for: the turns of all loops count (rule 7 of
// src/plan/shader.rs).
int t_patience = SPINS;

// Runs since the states were cleared. A status tells its run, so what earlier runs have published counts as nothing.
layout(std140, binding = 0) uniform Run { int u_run; };
uniform int u_spare_tickets; // the place of the tickets of every other run

#ifdef RECORDED
#define PUBLISHED 1u // by the tile itself
#define COMBINED 2u // found, and combined with the tile's sum
#define MISSING 3u // not found: the group computes it

int t_tile = 0; // that the group works on

// Records the use of a state, with the words that were published or found. The kind is that of record_access().
void record_state(uint kind, uint use_of_it, int number, uint status, Sum sum) {
    SumWords words = words_of_sum(sum);
    for (int i = 0; i < SUM_WORDS; i++) {
        uint word = SUM_WORD(words, i);
        uvec2 halves = uvec2(word << 16, word & 0xFFFF0000u) | status;
        int place = TICKETS + number * SUM_WORDS + i;
        record_access(kind, STATES, place, 2, uvec4(halves, uint(t_tile), use_of_it));
    }
}
#endif

// Statuses have 16 bits. The sum's number counts from 0.
void publish(int number, uint status, Sum sum) {
    SumWords words = words_of_sum(sum);
    for (int i = 0; i < SUM_WORDS; i++) {
        uvec2 halves = uvec2(SUM_WORD(words, i) & 0xFFFFu, SUM_WORD(words, i) >> 16);
        b_states[WRITE_AT(STATES, TICKETS + number * SUM_WORDS + i, 2)] = halves << 16 | status;
    }
#ifdef RECORDED
    record_state(1u, PUBLISHED, number, status, sum);
#endif
}

// LOOKS_AGAIN: a state that was found in a loop must be looked at again after it. llvmpipe forgets what an invocation has
// found in a loop that it leaves before others do (Mesa 22.3.6).

// The published sum and its status; NOTHING if it is incomplete.
uint look_at(int number, out Sum sum) {
    SumWords words;
    uint status = NOTHING;
    bool complete = true;
    for (int i = 0; i < SUM_WORDS; i++) {
        uvec2 halves = b_states[TICKETS + number * SUM_WORDS + i];
        SUM_WORD(words, i) = halves.x >> 16 | (halves.y & 0xFFFF0000u);
        uvec2 statuses = halves & 0xFFFFu;
        complete = complete && statuses.x == statuses.y && (i == 0 || statuses.x == status);
        status = statuses.x;
    }
    sum = sum_of_words(words);
#ifdef RECORDED
    // Not at every failed poll: a group may wait for long.
    for (int i = 0; complete && status != NOTHING && i < SUM_WORDS; i++) {
        READ_AT(STATES, TICKETS + number * SUM_WORDS + i, 2);
    }
#endif
    return complete ? status : NOTHING;
}

int ticket_at(int run, int part) {
    return part + ((run & 1) == 0 ? 0 : u_spare_tickets);
}

// The next tile of a part, in the order in which groups ask.
int take_ticket(int part) {
    int ticket = int(atomicAdd(b_states[WRITE_AT(STATES, ticket_at(u_run, part), 2)].x, 1u));
#ifndef RECORDED
    // The next run begins to count at 0. Before a recorded one all is cleared.
    if (ticket == 0) {
        b_states[ticket_at(u_run + 1, part)].x = 0u;
    }
#endif
    return ticket;
}
