// What tiles publish of themselves, for others to read at any time: a status and the sums of their members.
//
// A word is published in two halves, each with the status beside it, so that whoever reads half of an old and
// half of a new one sees that. No bit of the sums is taken, nothing wider than 32 bits need be atomic, and nothing
// need be seen in a certain order.

layout(std430, binding = STATES) coherent volatile buffer States { uvec2 b_states[]; };

const uint NOTHING = 0u;
const uint AGGREGATE = 1u; // the sums of the tile
const uint PREFIX = 2u; // the sums of the tile and of all before it

// Where a tile's words are. In front of them are the tickets, one for each part of the stream.
int state_of(int tile, int member) {
    return TICKETS + (tile * TUPLE + member) * SUM_WORDS;
}

void publish(int tile, int member, uint status, Sum sum) {
    uvec4 words = words_of_sum(sum);
    for (int i = 0; i < SUM_WORDS; i++) {
        uvec2 halves = uvec2(words[i] & 0xFFFFu, words[i] >> 16);
        b_states[state_of(tile, member) + i] = halves << 16 | status;
    }
}

// What a tile has published of a member, and its status; NOTHING where it is not complete.
uint look_at(int tile, int member, out Sum sum) {
    uvec4 words = uvec4(0u);
    uint status = NOTHING;
    bool complete = true;
    for (int i = 0; i < SUM_WORDS; i++) {
        uvec2 halves = b_states[state_of(tile, member) + i];
        words[i] = halves.x >> 16 | (halves.y & 0xFFFF0000u);
        uvec2 statuses = halves & 0xFFFFu;
        complete = complete && statuses.x == statuses.y && (i == 0 || statuses.x == status);
        status = statuses.x;
    }
    sum = sum_of_words(words);
    return complete ? status : NOTHING;
}

// The next tile of a part, in the order in which groups begin.
int take_ticket(int part) {
    return int(atomicAdd(b_states[part].x, 1u));
}
