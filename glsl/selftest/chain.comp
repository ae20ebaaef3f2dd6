// The self-test of chains: groups stay, take one tile after the other by tickets, and publish the sum up to each, which the
// next tile's group polls. The sum up to tile k is (k + 1) * SUM. The loops of one invocation take about as many iterations
// as rule 7 in src/plan/shader.rs allows, if its group takes all tiles.
#include "common/group.glsl"
#include "common/sums/counts.glsl"
#include "scan/common/states.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = SEEN) buffer Seen { uint b_seen[]; };

const int TURNS = 250; // of each of two loops over a tile
const uint SUM = uint(FACTOR * GROUP * (GROUP + 1) / 2);
const uint PREFIX = 1u;

shared int s_ticket;
shared uint s_sum;

// The sum of all tiles before this one, from what its group has published. A group that does not run is not waited for.
uint before(int tile) {
    uint found = 0u;
    uint status = tile == 0 ? PREFIX : NOTHING;
    for (int look = 0; look < SPINS && status != PREFIX; look++) {
        status = look_at(tile - 1, found);
    }
    if (tile > 0) {
        status = look_at(tile - 1, found);
    }
    return status == PREFIX ? found : uint(tile) * SUM;
}

void main() {
    uint own = gl_LocalInvocationIndex;
    int tile = 0;
    while (tile < TILES) {
        if (own == 0u) {
            s_ticket = take_ticket(0);
            s_sum = 0u;
        }
        sync_group();
        tile = s_ticket;
        uint value = (own + 1u) * uint(FACTOR);
        for (int turn = 0; turn < TURNS; turn++) {
            value = value * 5u + uint(turn);
        }
        for (int turn = TURNS - 1; turn >= 0; turn--) {
            value = (value - uint(turn)) * 0xCCCCCCCDu; // a fifth
        }
        atomicAdd(s_sum, value);
        sync_group();
        if (own == 0u && tile < TILES) {
            uint up_to = before(tile) + s_sum;
            publish(tile, PREFIX, up_to);
            b_seen[tile] = up_to;
        }
        sync_group();
    }
}
