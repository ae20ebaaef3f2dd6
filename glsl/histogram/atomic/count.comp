// atomic: each group counts its items in shared memory, if the bins fit there, and adds its counts to those of all.
#include <streams>
#include <element>

#if IN_SHARED
shared Element s_edges[BINS + 1];
shared uint s_counts[BINS + 1]; // the last one of items in no bin
#define edge_at(index) s_edges[index]
#else
#define edge_at edges_at
#endif
#include "histogram/common/bins.glsl"

layout(local_size_x = GROUP) in;

uniform int u_len; // items
uniform int u_rows; // items that an invocation takes

void main() {
    if (group_index() >= u_groups) {
        return;
    }
    int own = int(gl_LocalInvocationIndex);
#if IN_SHARED
    for (int at = own; at <= BINS; at += GROUP) { // at most BINS / GROUP + 1 turns
        s_edges[at] = edges_at(at);
        s_counts[at] = 0u;
    }
    sync_group();
#endif
    for (int row = 0; row < u_rows; row++) { // at most u_rows turns
        int index = (group_index() * u_rows + row) * GROUP + own;
        if (index < u_len) {
            int bin = bin_of(items_at(index));
#if IN_SHARED
            atomicAdd(s_counts[bin], 1u);
#else
            if (bin < BINS) {
                atomicAdd(b_counts[WRITE_AT(COUNTS, bin, 1)], 1u);
            }
#endif
        }
    }
#if IN_SHARED
    sync_group();
    for (int at = own; at < BINS; at += GROUP) { // at most BINS / GROUP + 1 turns
        atomicAdd(b_counts[WRITE_AT(COUNTS, at, 1)], s_counts[at]);
    }
#endif
}
