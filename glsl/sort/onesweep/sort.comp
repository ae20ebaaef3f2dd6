// onesweep (adinets2022): each tile finds from what earlier ones have published where its keys with each digit begin, and
// moves them there.
#include "sort/common/move_tile.glsl"
#include "sort/onesweep/states.glsl"

uniform int u_part; // the number of the dispatch among those with tickets
uniform int u_first; // the number of the first tile: before it are the starts of all places

shared int s_ticket;
shared uint s_findings[3];

const int LOOKS = LANES == 1 ? 1 : 4; // states of a digit that are looked at together

uint t_before[EACH]; // where the tile's keys with each of the invocation's digits begin

// The number of the state of the invocation's digit number `i`: of a tile, or, before the first one, of the place.
int state_of(int tile, int i) {
    return (tile < u_first ? u_place : tile) * TUPLE + own_digit(i);
}

// Looks back from a tile, all digits of a few tiles at a time. The group agrees on each step, so no invocation leaves a loop
// before others. To be called by the whole group.
void look_back(int tile) {
    int turn = 0;
    uint sums[EACH * LOOKS];
    uint statuses[EACH * LOOKS];
    uint done[EACH]; // 1 if its prefix is found
    for (int i = 0; i < EACH; i++) {
        t_before[i] = 0u;
        done[i] = uint(own_digit(i) >= DIGITS);
    }
    int wanted = tile - 1;
    while (wanted >= u_first - 1) { // at most SPINS + IN_FLIGHT + 2 turns
        // A bit for each digit: how many of the states are there; LOOKS if it has to look at further ones; none at its prefix.
        uint findings = 0u;
        for (int i = 0; i < EACH; i++) {
            if (done[i] == 0u) {
                // All are read before the first one is used, so that they do not wait for each other.
                for (int look = 0; look < LOOKS; look++) {
                    int at = i * LOOKS + look;
                    statuses[at] = look_at(state_of(wanted - look, i), sums[at]);
                }
                uint finding = 1u << LOOKS;
                for (int look = LOOKS - 1; look >= 0; look--) {
                    uint status = statuses[i * LOOKS + look];
                    bool is_there = status == aggregate_of(u_place);
                    finding = status == prefix_of(u_place) ? 0u : is_there ? finding : 1u << look;
                }
                findings |= finding;
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
        int found = findings == 0u ? LOOKS : findLSB(findings);
        if (found == 0 && t_patience > 0) {
            t_patience--;
            continue;
        }
        if (found == 0) {
            count_tile(wanted - u_first);
        }
        for (int i = 0; i < EACH; i++) {
            for (int look = 0; look < LOOKS; look++) {
                int at = i * LOOKS + look;
                if (done[i] == 0u && look < max(found, 1)) {
#ifdef RECORDED
                    int number = state_of(wanted - look, i);
                    if (found == 0) {
                        record_state(0u, MISSING, number, NOTHING, no_sum());
                    } else {
                        record_state(0u, COMBINED, number, statuses[at], sums[at]);
                    }
#endif
                    t_before[i] += found == 0 ? t_counts[i] : sums[at];
                    done[i] = uint(found > 0 && statuses[at] == prefix_of(u_place));
                }
            }
        }
        if (findings == 0u) {
            return;
        }
        wanted -= max(found, 1);
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
    load_tile(ticket);
    uint counts[EACH];
    for (int i = 0; i < EACH; i++) {
        counts[i] = t_counts[i];
        if (own_digit(i) < DIGITS) {
            publish(tile * TUPLE + own_digit(i), aggregate_of(u_place), counts[i]);
        }
    }
    rank_tile();
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
