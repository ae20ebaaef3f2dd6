// Linear systems: all orders of a sum at once, and linear recurrences (RECURS).
//
// Both are a *state* of ORDER items for each interleaved stream, which every item of the stream changes in the same way:
//
//     state' = A state + (item, 0, 0 ...)
//
// Of sums, the last ones of all orders, lowest first. A recurrence a : b keeps w, its input with only the feedback applied:
// w = x + b1 w[-1] + b2 w[-2] ..., the newest first; its result is a0 w + a1 w[-1] ... (direct form II).
//
// Without items, n steps are A^n. So what n items add to a state does not depend on the state before them, and pieces of
// the stream, lanes, warps and tiles are put together by one rule: state after both = A^n (state after the left one) +
// (state that the right one, of n items, makes of zeros). The powers come from a table (src/scan/compute/linear.rs).
// A^n of sums is of binomials, the same on each diagonal: C(n - 1 + d, d) from order j to order j + d.
//
// A lane has a *run* of adjacent items, of whole tuples, and goes over it twice: for its state, and for its results. It
// loads the run itself (RUNS): to load rows and turn them in shared memory takes longer (H100, 2^26 u32, reduction: 0.124 and
// 0.194 ms). Results are turned, since runs are written more slowly.
//
// To be included after `scan/common/tile.glsl`, CARRIED, which is the items of a state (ORDER * INTERLEAVED), and
// publish_state(), which is given the state that a tile makes of zeros.

layout(std430, binding = POWERS) readonly buffer Powers { uint b_powers[]; };

#define EACH_CARRIED(i) for (int i = 0; i < CARRIED; i++)

// The weights of a power, and the one of item `i` of a state in item `k` of the next.
#if RECURS
#define WEIGHTS (ORDER * ORDER)
#define WEIGHT_AT(k, i) (k * ORDER + i)
#define COEFFICIENTS (FORWARD + ORDER)
#else
#define WEIGHTS ORDER
#define WEIGHT_AT(k, i) (k - i)
#define COEFFICIENTS 0
#endif

// The table has the coefficients of a recurrence, the powers of 0 to GROUP - 1 runs and, in `sam`, those of 0 to GROUP
// tiles.
#define OF_RUNS(runs) (runs)
#define OF_TILES(tiles) (GROUP + (tiles))

const int ITEMS = ROWS * VECTOR; // in a run

// The states that warps make of zeros, and those that all before each warp make of zeros.
shared Item s_warps[WARPS * CARRIED];
shared Item s_before[WARPS * CARRIED];

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
        power[i] = power_item(COEFFICIENTS + number * WEIGHTS + i);
    }
}

// Adds a power times a state.
void add_power(inout Item sum[CARRIED], Item power[WEIGHTS], Item state[CARRIED]) {
    for (int k = 0; k < ORDER; k++) {
#if !RECURS
        // On the diagonal is 1.
        for (int m = 0; m < INTERLEAVED; m++) {
            sum[k * INTERLEAVED + m] = combine(sum[k * INTERLEAVED + m], state[k * INTERLEAVED + m]);
        }
        int last = k;
#else
        int last = ORDER;
#endif
        for (int i = 0; i < last; i++) { // at most ORDER turns
            for (int m = 0; m < INTERLEAVED; m++) {
                Item added = element_mul(power[WEIGHT_AT(k, i)], state[i * INTERLEAVED + m]);
                sum[k * INTERLEAVED + m] = combine(sum[k * INTERLEAVED + m], added);
            }
        }
    }
}

#if RECURS
// The coefficients.
Item t_forward[FORWARD];
Item t_feedback[ORDER];

void load_coefficients() {
    for (int k = 0; k < FORWARD; k++) {
        t_forward[k] = power_item(k);
    }
    for (int k = 0; k < ORDER; k++) {
        t_feedback[k] = power_item(FORWARD + k);
    }
}
#endif

// Moves a state on by an item of the stream `m`.
void take(Item item, int m, inout Item state[CARRIED]) {
#if RECURS
    for (int k = 0; k < ORDER; k++) {
        item = combine(item, element_mul(t_feedback[k], state[k * INTERLEAVED + m]));
    }
    for (int k = ORDER - 1; k > 0; k--) {
        state[k * INTERLEAVED + m] = state[(k - 1) * INTERLEAVED + m];
    }
    state[m] = item;
#else
    for (int k = 0; k < ORDER; k++) {
        item = combine(state[k * INTERLEAVED + m], item);
        state[k * INTERLEAVED + m] = item;
    }
#endif
}

// The result that belongs to a state.
Item result_of(int m, Item state[CARRIED]) {
#if RECURS
    Item sum = identity();
    for (int k = 0; k < FORWARD; k++) {
        sum = combine(sum, element_mul(t_forward[k], state[k * INTERLEAVED + m]));
    }
    return sum;
#else
    return state[(ORDER - 1) * INTERLEAVED + m];
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
#endif

// From runs to rows of lanes, whose vectors are adjacent and are written together. With serial lanes a row is a part of a
// run.
void turn_to_rows() {
#if LANES > 1
    Loaded vector[LOADS];
    for (int row = 0; row < ROWS; row++) {
        give_row(row, vector);
        for (int i = 0; i < LOADS; i++) {
            s_turned[turned_at(lane_index() * ROWS + row, i)] = vector[i];
        }
    }
    sync_group();
    for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < LOADS; i++) {
            vector[i] = s_turned[turned_at(row * LANES + lane_index(), i)];
        }
        take_row(row, vector);
    }
#endif
}

// The state that the run makes of zeros.
void sum_run(out Item state[CARRIED]) {
    EACH_CARRIED(i) { state[i] = identity(); }
    for (int i = 0; i < ITEMS; i += INTERLEAVED) {
        for (int m = 0; m < INTERLEAVED; m++) {
            take(t_items[i + m], m, state);
        }
    }
}

// From the state of each lane's run to that of all runs of its warp up to it (up_to) and before it (start), from zeros; those
// of warps are shared.
void scan_lanes(inout Item up_to[CARRIED], out Item start[CARRIED]) {
    EACH_CARRIED(i) { start[i] = identity(); }
#if LANES > 1
    for (int level = 0; 1 << level < LANES; level++) { // at most log2(LANES) turns
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
}

// After scan_lanes() and a barrier: shares the states before each warp. Publishes the tile's, if it `publishes`.
void put_before_warps(int tile, bool publishes, Item up_to[CARRIED]) {
#if GROUP == LANES
    if (lane_index() == LANES - 1 && publishes) {
        publish_state(tile, up_to);
    }
#elif LANES * LANES >= GROUP
    if (warp_index() == 0) {
        int lane = lane_index();
        Item state[CARRIED];
        EACH_CARRIED(i) { state[i] = s_warps[min(lane, WARPS - 1) * CARRIED + i]; }
        for (int level = 0; 1 << level < WARPS; level++) { // at most log2(WARPS) turns
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
            publish_state(tile, state);
        }
    }
#else
    Item power[WEIGHTS];
    get_power(OF_RUNS(LANES), power);
    Item state[CARRIED];
    EACH_CARRIED(i) { state[i] = identity(); }
    for (int warp = 0; warp < warp_index(); warp++) { // at most WARPS turns
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
        publish_state(tile, up_to);
    }
#endif
}

// Adds what comes before the warp to the state before each lane in it, once put_before_warps() is done: the warps before it,
// and the state before the tile.
void begin_with(Item before_tile[CARRIED], inout Item start[CARRIED]) {
    Item power[WEIGHTS];
#if GROUP > LANES
    if (warp_index() > 0) {
        Item before[CARRIED];
        EACH_CARRIED(i) { before[i] = s_before[warp_index() * CARRIED + i]; }
        get_power(OF_RUNS(lane_index()), power);
        add_power(start, power, before);
    }
#endif
    get_power(OF_RUNS(int(gl_LocalInvocationIndex)), power);
    add_power(start, power, before_tile);
}

// The results of the run from the state before it, which becomes the state after it.
void scan_run(inout Item state[CARRIED]) {
    for (int i = 0; i < ITEMS; i += INTERLEAVED) {
        for (int m = 0; m < INTERLEAVED; m++) {
            Item item = t_items[i + m];
            if (EXCLUSIVE != 0) {
                t_items[i + m] = result_of(m, state);
            }
            take(item, m, state);
            if (EXCLUSIVE == 0) {
                t_items[i + m] = result_of(m, state);
            }
        }
    }
}
