// One exchange for all orders of a sum (SUMS), and for linear recurrences.
//
// Both are a *state* of ORDER items for each interleaved stream, which every item of the stream changes in the same way:
//
//     state' = A state + (item, 0, 0 ...)
//
// SUMS: the last sums of all orders, lowest first. A recurrence a : b keeps w, its input with only the feedback applied:
// w = x + b1 w[-1] + b2 w[-2] ..., the newest first; its result is a0 w + a1 w[-1] ... (direct form II).
//
// Without items, n steps are A^n. So what n items add to a state does not depend on the state before them, and pieces of
// the stream, lanes, warps and chunks are put together by one rule: state after both = A^n (state after the left one) +
// (state that the right one, of n items, makes of zeros). The powers come from a table (src/scan/compute/sam/linear.rs).
// A^n of sums is of binomials, the same on each diagonal: C(n - 1 + d, d) from order j to order j + d.
//
// A lane has a *run* of adjacent items, of whole tuples, and goes over it twice: for its sum, and for its results.

layout(std430, binding = POWERS) readonly buffer Powers { uint b_powers[]; };

#define EACH_CARRIED(i) for (int i = 0; i < CARRIED; i++)

// The table has the powers of 0 to GROUP - 1 runs, those of 0 to GROUP chunks, and the coefficients of a recurrence.
#define OF_RUNS(runs) (runs)
#define OF_CHUNKS(chunks) (GROUP + (chunks))

// The weights of a power, and the one of item `i` of a state in item `k` of the next.
#if SUMS
#define WEIGHTS ORDER
#define WEIGHT_AT(k, i) (k - i)
#else
#define WEIGHTS (ORDER * ORDER)
#define WEIGHT_AT(k, i) (k * ORDER + i)
#endif

const int ITEMS = ROWS * VECTOR; // in a run

// The states that warps make of zeros, and those that all before each warp make of zeros.
shared Item s_warps[WARPS * CARRIED];
shared Item s_before[WARPS * CARRIED];
// The states that each warp has gathered from other chunks, and the state before the chunk.
shared Item s_fold[WARPS * CARRIED];
shared Item s_start[CARRIED];

Item power_item(int place) {
    Words words;
    for (int i = 0; i < ITEM_WORDS; i++) {
        WORD(words, i) = b_powers[READ_AT(POWERS, place * ITEM_WORDS + i, 1)];
    }
    return item_of_words(words);
}

// A power of A by its number in the table.
void get_power(int number, out Item power[WEIGHTS]) {
    for (int i = 0; i < WEIGHTS; i++) {
        power[i] = power_item(number * WEIGHTS + i);
    }
}

// Adds a power times a state.
void add_power(inout Item sum[CARRIED], Item power[WEIGHTS], Item state[CARRIED]) {
    for (int k = 0; k < ORDER; k++) {
#if SUMS
        // On the diagonal is 1.
        for (int m = 0; m < INTERLEAVED; m++) {
            sum[k * INTERLEAVED + m] = combine(sum[k * INTERLEAVED + m], state[k * INTERLEAVED + m]);
        }
        int last = k;
#else
        int last = ORDER;
#endif
        for (int i = 0; i < last; i++) {
            for (int m = 0; m < INTERLEAVED; m++) {
                Item added = element_mul(power[WEIGHT_AT(k, i)], state[i * INTERLEAVED + m]);
                sum[k * INTERLEAVED + m] = combine(sum[k * INTERLEAVED + m], added);
            }
        }
    }
}

#if !SUMS
// The coefficients.
const int FORWARD_AT = OF_CHUNKS(GROUP + 1) * WEIGHTS;
const int FEEDBACK_AT = FORWARD_AT + FORWARD;
Item t_forward[FORWARD];
Item t_feedback[ORDER];

void load_coefficients() {
    for (int k = 0; k < FORWARD; k++) {
        t_forward[k] = power_item(FORWARD_AT + k);
    }
    for (int k = 0; k < ORDER; k++) {
        t_feedback[k] = power_item(FEEDBACK_AT + k);
    }
}
#endif

// Moves a state on by an item of the stream `m`.
void take(Item item, int m, inout Item state[CARRIED]) {
#if SUMS
    for (int k = 0; k < ORDER; k++) {
        item = combine(state[k * INTERLEAVED + m], item);
        state[k * INTERLEAVED + m] = item;
    }
#else
    for (int k = 0; k < ORDER; k++) {
        item = combine(item, element_mul(t_feedback[k], state[k * INTERLEAVED + m]));
    }
    for (int k = ORDER - 1; k > 0; k--) {
        state[k * INTERLEAVED + m] = state[(k - 1) * INTERLEAVED + m];
    }
    state[m] = item;
#endif
}

// The result that belongs to a state.
Item result_of(int m, Item state[CARRIED]) {
#if SUMS
    return state[(ORDER - 1) * INTERLEAVED + m];
#else
    Item sum = identity();
    for (int k = 0; k < FORWARD; k++) {
        sum = combine(sum, element_mul(t_forward[k], state[k * INTERLEAVED + m]));
    }
    return sum;
#endif
}

#if LANES > 1
// The vectors of a warp, with a gap after every eight: so neither rows nor runs have bank conflicts.
const int TURNED = ROWS * LANES * LOADS;
shared Loaded s_turned[WARPS * (TURNED + TURNED / 8)];

int turned_at(int vector, int load) {
    int at = vector * LOADS + load;
    return warp_index() * (TURNED + TURNED / 8) + at + at / 8;
}

void put_turned(int row, int vector) {
    Loaded stored[LOADS];
    give_row(row, stored);
    for (int i = 0; i < LOADS; i++) {
        s_turned[turned_at(vector, i)] = stored[i];
    }
}

void take_turned(int row, int vector) {
    Loaded loaded[LOADS];
    for (int i = 0; i < LOADS; i++) {
        loaded[i] = s_turned[turned_at(vector, i)];
    }
    take_row(row, loaded);
}
#endif

// From rows of lanes to runs, and back. With serial lanes a row is a part of a run.
void turn_to_runs() {
#if LANES > 1
    for (int row = 0; row < ROWS; row++) {
        put_turned(row, row * LANES + lane_index());
    }
    sync_group();
    for (int row = 0; row < ROWS; row++) {
        take_turned(row, lane_index() * ROWS + row);
    }
#endif
}

void turn_to_rows() {
#if LANES > 1
    // A lane overwrites what it alone has read.
    for (int row = 0; row < ROWS; row++) {
        put_turned(row, lane_index() * ROWS + row);
    }
    sync_group();
    for (int row = 0; row < ROWS; row++) {
        take_turned(row, row * LANES + lane_index());
    }
#endif
}

// Publishes the state that the chunk makes of zeros.
void publish_chunk(int chunk, Item sums[CARRIED]) {
#ifndef WITHHOLDS_ALL
    EACH_CARRIED(i) { publish(place_in_ring(chunk, 0, i), round_of(chunk), sums[i]); }
#endif
}

// From the state of lanes up to each one, and s_warps: the states before each warp (s_before). Publishes the chunk's.
void put_before_warps(int chunk, bool publishes, Item up_to[CARRIED]) {
#if GROUP == LANES
    if (lane_index() == LANES - 1 && publishes) {
        publish_chunk(chunk, up_to);
    }
#elif LANES * LANES >= GROUP
    if (warp_index() == 0) {
        int lane = lane_index();
        Item state[CARRIED];
        EACH_CARRIED(i) { state[i] = s_warps[min(lane, WARPS - 1) * CARRIED + i]; }
        for (int level = 0; 1 << level < WARPS; level++) {
            Item power[WEIGHTS];
            get_power(OF_RUNS(LANES << level), power);
            Item left[CARRIED];
            EACH_CARRIED(i) { left[i] = lane_up(state[i], 1 << level); }
            if (lane >= 1 << level) {
                add_power(state, power, left);
            }
        }
        if (lane < WARPS - 1) {
            EACH_CARRIED(i) { s_before[(lane + 1) * CARRIED + i] = state[i]; }
        }
        if (lane == WARPS - 1 && publishes) {
            publish_chunk(chunk, state);
        }
    }
#else
    Item power[WEIGHTS];
    get_power(OF_RUNS(LANES), power);
    Item state[CARRIED];
    EACH_CARRIED(i) { state[i] = identity(); }
    for (int warp = 0; warp < warp_index(); warp++) {
        Item next[CARRIED];
        EACH_CARRIED(i) { next[i] = s_warps[warp * CARRIED + i]; }
        add_power(next, power, state);
        state = next;
    }
    if (lane_index() == 0) {
        EACH_CARRIED(i) { s_before[warp_index() * CARRIED + i] = state[i]; }
    }
    if (int(gl_LocalInvocationIndex) == GROUP - 1 && publishes) {
        add_power(up_to, power, state);
        publish_chunk(chunk, up_to);
    }
#endif
}

// Finds the state before the chunk `to`, as a sum over s_fold: from s_carry, the state before `from`, and from those that
// the chunks between them publish. To be called by the whole group, which then synchronises.
//
// The chunks lie on the invocations so that the last invocation has the last one: then the power for an invocation is
// always the same. The carry is the chunk in front of `from`.
void gather(int from, int to) {
    int invocation = int(gl_LocalInvocationIndex);
    t_exchange++;
    int batches = (to - from) / GROUP + 1;
    Item folded[CARRIED];
    EACH_CARRIED(i) { folded[i] = identity(); }
    for (int batch = 0; batch < batches; batch++) {
        int chunk = to - (batches - batch) * GROUP + invocation;
        if (batch > 0) {
            Item power[WEIGHTS];
            get_power(OF_CHUNKS(GROUP), power);
            Item earlier[CARRIED] = folded;
            EACH_CARRIED(i) { folded[i] = identity(); }
            add_power(folded, power, earlier);
        }
        if (chunk < from - 1) {
            continue;
        }
        Item sums[CARRIED];
        if (chunk == from - 1) {
            EACH_CARRIED(i) { sums[i] = s_carry[i]; }
        } else {
            gather_sums(chunk, 0, sums);
        }
        Item power[WEIGHTS];
        get_power(OF_CHUNKS(GROUP - 1 - invocation), power);
        add_power(folded, power, sums);
    }
    // Powers are applied: what is left is a sum over lanes, and then over warps. Most warps have no chunk.
    if (batches > 1 || to - GROUP + (warp_index() + 1) * LANES >= from) {
        EACH_CARRIED(i) { folded[i] = sum_of_lanes(folded[i], 1, LANES); }
    }
    if (lane_index() == 0) {
        EACH_CARRIED(i) { s_fold[warp_index() * CARRIED + i] = folded[i]; }
    }
}

// Scans a loaded chunk. Chunks from `from` on are not in s_carry. Returns whether all sums between them and the chunk
// were there.
bool scan_chunk(int chunk, int from, bool publishes) {
    int invocation = int(gl_LocalInvocationIndex);
#if !SUMS
    load_coefficients();
#endif
    turn_to_runs();
    Item up_to[CARRIED];
    Item start[CARRIED];
    EACH_CARRIED(i) { up_to[i] = identity(); start[i] = identity(); }
    for (int i = 0; i < ITEMS; i += INTERLEAVED) {
        for (int m = 0; m < INTERLEAVED; m++) {
            take(t_items[i + m], m, up_to);
        }
    }
#if LANES > 1
    for (int level = 0; 1 << level < LANES; level++) {
        Item power[WEIGHTS];
        get_power(OF_RUNS(1 << level), power);
        Item left[CARRIED];
        EACH_CARRIED(i) { left[i] = lane_up(up_to[i], 1 << level); }
        if (lane_index() >= 1 << level) {
            add_power(up_to, power, left);
        }
    }
    EACH_CARRIED(i) {
        Item left = lane_up(up_to[i], 1);
        if (lane_index() > 0) {
            start[i] = left;
        }
    }
#endif
    if (lane_index() == LANES - 1) {
        EACH_CARRIED(i) { s_warps[warp_index() * CARRIED + i] = up_to[i]; }
    }
    sync_group();
    put_before_warps(chunk, publishes, up_to);
    gather(from, chunk);
    sync_group();
    if (s_missing == t_exchange) {
        return false;
    }
    for (int i = invocation; i < CARRIED; i += GROUP) {
        Item sum = s_fold[i];
        for (int warp = 1; warp < WARPS; warp++) {
            sum = combine(sum, s_fold[warp * CARRIED + i]);
        }
        s_start[i] = sum;
    }
    sync_group();
    Item power[WEIGHTS];
    Item before[CARRIED];
#if GROUP > LANES
    if (warp_index() > 0) {
        EACH_CARRIED(i) { before[i] = s_before[warp_index() * CARRIED + i]; }
        get_power(OF_RUNS(lane_index()), power);
        add_power(start, power, before);
    }
#endif
    EACH_CARRIED(i) { before[i] = s_start[i]; }
    get_power(OF_RUNS(invocation), power);
    add_power(start, power, before);
    for (int i = 0; i < ITEMS; i += INTERLEAVED) {
        for (int m = 0; m < INTERLEAVED; m++) {
            Item item = t_items[i + m];
            if (EXCLUSIVE != 0) {
                t_items[i + m] = result_of(m, start);
            }
            take(item, m, start);
            if (EXCLUSIVE == 0) {
                t_items[i + m] = result_of(m, start);
            }
        }
    }
    if (invocation == GROUP - 1) {
        EACH_CARRIED(i) { s_behind[i] = start[i]; }
    }
    turn_to_rows();
    return true;
}
