// Blocks of the stream, each of which one work group takes: where its items are, and how they lie in a buffer.
//
// A group takes one member of the tuples of one block: of tuples of s, group g member g % s of block g / s. So groups are
// numbered as the blocks' sums lie in their buffer: those of all members of the first block, then those of the second.
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

// The place of the group's item number `i`.
int place_of(int i) {
    return (group_index() / u_tuple * BLOCK + i) * u_tuple + group_index() % u_tuple;
}
