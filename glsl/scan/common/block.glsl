// Blocks of the stream, one for each work group: the positions of its items, and their layout in a buffer.
//
// A group takes one member of the tuples of one block: for tuples of s, group g takes member g % s of block g / s. So
// groups are numbered like the blocks' sums in their buffer: all members of the first block, then those of the second.
#include "common/group.glsl"
#include "common/item.glsl"
#include "common/record/shared_items.glsl"

#if ITEM_WORDS == 1
#define Words uint
#define ITEM_OF(words) item_of_words(uvec4(words, 0u, 0u, 0u))
#define WORDS_OF(item) words_of_item(item).x
#elif ITEM_WORDS == 2
#define Words uvec2
#define ITEM_OF(words) item_of_words(uvec4(words, 0u, 0u))
#define WORDS_OF(item) words_of_item(item).xy
#else
#define Words uvec4
#define ITEM_OF(words) item_of_words(words)
#define WORDS_OF(item) words_of_item(item)
#endif

uniform int u_len; // items of the stream that are bound
uniform int u_tuple; // items in a tuple

// The index of the group's item number `i`.
int place_of(int i) {
    return (group_index() / u_tuple * BLOCK + i) * u_tuple + group_index() % u_tuple;
}
