// Items in shared memory, in a recorded run.
#include "common/accesses.glsl"
#include "common/item.glsl"

#ifdef RECORDED
#define SHARED_READ(array, address, item) shared_access(2u, array, address, item)
#define SHARED_WRITE(array, address, item) shared_access(3u, array, address, item)

Item shared_access(uint kind, int of, int address, Item item) {
    Words words = words_of_item(item);
    uvec4 first = uvec4(0u); // the entry has room for four
    for (int i = 0; i < min(ITEM_WORDS, 4); i++) {
        first[i] = WORD(words, i);
    }
    record_access(kind, of, address, ITEM_WORDS, first);
    return item;
}
#endif
