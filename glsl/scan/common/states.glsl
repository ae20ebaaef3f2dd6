// The states that tiles publish, for others to read at any time: a status and a sum.
//
// A word is published in two halves, each with the status beside it, so that a reader detects half of an old and half
// of a new one. No bit of the sums is lost, nothing wider than 32 bits need be atomic, and no memory order is needed.

// In front of the sums are the tickets, one for each part of the stream.
layout(std430, binding = STATES) coherent volatile buffer States { uvec2 b_states[]; };

const uint NOTHING = 0u;

// Statuses have 16 bits. The sum's number counts from 0.
void publish(int number, uint status, Sum sum) {
    SumWords words = words_of_sum(sum);
    for (int i = 0; i < SUM_WORDS; i++) {
        uvec2 halves = uvec2(SUM_WORD(words, i) & 0xFFFFu, SUM_WORD(words, i) >> 16);
        b_states[WRITE_AT(STATES, TICKETS + number * SUM_WORDS + i, 2)] = halves << 16 | status;
    }
}

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

// The next tile of a part, in the order in which groups ask.
int take_ticket(int part) {
    return int(atomicAdd(b_states[WRITE_AT(STATES, part, 2)].x, 1u));
}
