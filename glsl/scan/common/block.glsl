// Blocks of the stream, one for each work group: the positions of its items, and their layout in a buffer.
//
// A group takes one member of the tuples of one block: for tuples of s, group g takes member g % s of block g / s. So
// groups are numbered like the blocks' sums in their buffer: all members of the first block, then those of the second.
#include "common/group.glsl"
#include "common/item.glsl"
#include "common/record/shared_items.glsl"

// An item in a buffer.
#if ITEM_WORDS == 1
#define Stored uint
#define ITEM_OF(stored) item_of_words(uvec4(stored, 0u, 0u, 0u))
#define STORED_OF(item) words_of_item(item).x
#elif ITEM_WORDS == 2
#define Stored uvec2
#define ITEM_OF(stored) item_of_words(uvec4(stored, 0u, 0u))
#define STORED_OF(item) words_of_item(item).xy
#elif ITEM_WORDS == 4
#define Stored uvec4
#define ITEM_OF(stored) item_of_words(stored)
#define STORED_OF(item) words_of_item(item)
#else
// Not a vector of three: it would take four words.
struct Stored {
    uint of[ITEM_WORDS];
};
Item ITEM_OF(Stored stored) {
    Words words;
    for (int i = 0; i < ITEM_WORDS; i++) {
        WORD(words, i) = stored.of[i];
    }
    return item_of_words(words);
}
Stored STORED_OF(Item item) {
    Words words = words_of_item(item);
    Stored stored;
    for (int i = 0; i < ITEM_WORDS; i++) {
        stored.of[i] = WORD(words, i);
    }
    return stored;
}
#endif

uniform int u_len; // items of the stream that are bound
uniform int u_tuple; // items in a tuple

// The index of the group's item number `i`.
int place_of(int i) {
    return (group_index() / u_tuple * BLOCK + i) * u_tuple + group_index() % u_tuple;
}
