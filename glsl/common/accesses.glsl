// Accesses of compute shaders to buffers and to shared memory. In a recorded run (RECORDED) each is recorded by the
// invocation that makes it.
//
// READ_AT and WRITE_AT are the index in a bound buffer, and record the access, with elements of this many words.
// SHARED_READ and SHARED_WRITE are the sum or item that is read from, or is about to be written to, an address of one
// of the arrays below.

#define ARRAY_ITEMS 0 // the items of a block, or a tree over them
#define ARRAY_TOTALS 1 // the totals of a tile's warps
#define ARRAY_LANES 2 // values that lanes exchange
#define ARRAY_SUMS 3 // a group's findings about other tiles

// Groups that take turns (IN_TURNS) run one after the other, round and round.
#ifdef IN_TURNS
uniform int u_turn;
uniform int u_turn_groups; // that take turns
#define THIS_GROUP (u_turn % u_turn_groups)
#else
#define THIS_GROUP int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x)
#endif

#ifdef RECORDED
layout(std430, binding = RECORDED) buffer Accesses {
    uint b_accesses_made;
    uint b_accesses_room; // the most that can be recorded
    uint b_accesses_unused[2];
    uvec4 b_accesses[]; // two for each: invocation, time, kind, position; the words in shared memory, or of a state
};

int t_epoch = 0; // barriers passed
int t_numbers[2] = int[2](0, 0); // accesses since then: to buffers, to shared memory

void record_access(uint kind, int of, int place, int words, uvec4 value) {
    uint at = atomicAdd(b_accesses_made, 1u);
    int number = t_numbers[kind >> 1]++;
    if (at >= b_accesses_room) {
        return;
    }
    uint invocation = uint(THIS_GROUP) * uint(GROUP) + gl_LocalInvocationIndex;
    uint when = uint(t_epoch) << 16 | uint(number);
    b_accesses[2u * at] = uvec4(invocation, when, kind << 30 | uint(of) << 16 | uint(words), uint(place));
    b_accesses[2u * at + 1u] = value;
}

int record_place(uint kind, int binding, int place, int words) {
    record_access(kind, binding, place, words, uvec4(0u));
    return place;
}

#define READ_AT(binding, place, words) record_place(0u, binding, place, words)
#define WRITE_AT(binding, place, words) record_place(1u, binding, place, words)
#define NEXT_EPOCH t_epoch++; t_numbers[0] = 0; t_numbers[1] = 0
#else
#define READ_AT(binding, place, words) (place)
#define WRITE_AT(binding, place, words) (place)
#define SHARED_READ(array, address, item) (item)
#define SHARED_WRITE(array, address, item) (item)
#define NEXT_EPOCH
#endif
