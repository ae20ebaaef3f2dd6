// onesweep (adinets2022): each tile finds from what earlier ones have published where its keys with each digit begin, and
// moves them there.
#include "sort/common/move_tile.glsl"
#include "sort/onesweep/states.glsl"

uniform int u_part; // the number of the dispatch among those with tickets
uniform int u_first; // the number of the first tile: before it are the starts of all places

shared int s_ticket;
shared uint s_findings[3];

#define IS_MISSING 1u // a digit's state is not there
#define GOES_ON 2u // a digit's state is no prefix

uint t_before[EACH]; // where the tile's keys with each of the invocation's digits begin

// Looks back from a tile, all digits of a tile at a time. The group agrees on each step, so no invocation leaves a loop
// before others. To be called by the whole group.
void look_back(int tile) {
    int turn = 0;
    uint sums[EACH];
    uint statuses[EACH];
    bool done[EACH];
    for (int i = 0; i < EACH; i++) {
        t_before[i] = 0u;
        done[i] = own_digit(i) >= DIGITS;
    }
    for (int wanted = tile - 1; wanted >= u_first - 1; wanted--) { // at most IN_FLIGHT + 2 turns
        int others = wanted < u_first ? u_place : wanted;
        uint findings = 0u;
        // Wait until all digits are there, or patience ends.
        while (true) { // at most SPINS + IN_FLIGHT + 2 turns in all
            findings = 0u;
            for (int i = 0; i < EACH; i++) {
                if (!done[i]) {
                    Sum sum = no_sum();
                    uint status = look_at(others * TUPLE + own_digit(i), sum);
                    bool is_prefix = status == prefix_of(u_place);
                    bool is_there = is_prefix || status == aggregate_of(u_place);
                    findings |= is_there ? (is_prefix ? 0u : GOES_ON) : IS_MISSING;
                    sums[i] = sum;
                    statuses[i] = status;
                }
            }
            // Of three words one is written, one may still be read since the turn before, and one is cleared for the next.
            if (findings != 0u) {
                atomicOr(s_findings[turn], findings);
            }
            int next = turn == 2 ? 0 : turn + 1;
            if (gl_LocalInvocationIndex == 0u) {
                s_findings[next] = 0u;
            }
            sync_group();
            findings = s_findings[turn];
            turn = next;
            if ((findings & IS_MISSING) == 0u || t_patience <= 0) {
                break;
            }
            t_patience--;
        }
        bool is_missing = (findings & IS_MISSING) != 0u;
        if (is_missing) {
            count_tile(wanted - u_first);
        }
        for (int i = 0; i < EACH; i++) {
            if (!done[i]) {
#ifdef RECORDED
                int number = others * TUPLE + own_digit(i);
                if (is_missing) {
                    record_state(0u, MISSING, number, NOTHING, no_sum());
                } else {
                    record_state(0u, COMBINED, number, statuses[i], sums[i]);
                }
#endif
                t_before[i] += is_missing ? t_counts[i] : sums[i];
                done[i] = !is_missing && statuses[i] == prefix_of(u_place);
            }
        }
        if (findings == 0u) {
            return;
        }
    }
}

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        s_ticket = take_ticket(u_part);
        s_findings[0] = 0u;
    }
    sync_group();
    int ticket = s_ticket;
    if (ticket >= u_groups) {
        return;
    }
    int tile = u_first + ticket;
#ifdef RECORDED
    t_tile = tile;
#endif
    rank_tile(ticket);
    uint counts[EACH];
    for (int i = 0; i < EACH; i++) {
        counts[i] = t_counts[i];
        if (own_digit(i) < DIGITS) {
            publish(tile * TUPLE + own_digit(i), aggregate_of(u_place), counts[i]);
        }
    }
    place_tile();
    look_back(tile);
    for (int i = 0; i < EACH; i++) {
        if (own_digit(i) < DIGITS) {
            publish(tile * TUPLE + own_digit(i), prefix_of(u_place), t_before[i] + counts[i]);
        }
        start_digit(i, t_before[i]);
    }
    sync_group();
    move_tile(ticket);
}
