// The order in which a scan visits the items of its stream, and where a scan begins. The twin is src/scan/walk.rs.
#include "common/values.glsl"

uniform int u_len; // items in the stream
uniform int u_scan_len; // items in a row or a column
#if COLUMNS
uniform int u_width; // items from one of a column to the next
#endif

// The item that is visited as number `visit`.
int index_of_visit(int visit) {
#if REVERSED
    visit = u_len - 1 - visit;
#endif
#if COLUMNS
    return visit % u_scan_len * u_width + visit / u_scan_len;
#else
    return visit;
#endif
}

// The number of an item's visit.
int visit_of_index(int index) {
#if COLUMNS
    index = index % u_width * u_scan_len + index / u_width;
#endif
#if REVERSED
    index = u_len - 1 - index;
#endif
    return index;
}

// Whether an item is in the first tuple of a scan. flag_at(index) is defined by the including shader.
#if FLAGGED
bool flag_at(int index);
#endif
bool begins(int visit, int index) {
#if FLAGGED
    return visit == 0 || flag_at(index + REVERSED);
#else
    return visit % u_scan_len < TUPLE;
#endif
}
