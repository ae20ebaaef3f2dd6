// Items in shared memory, in a recorded run.
#include "common/accesses.glsl"
#include "common/item.glsl"

#ifdef RECORDED
#define SHARED_READ(array, address, item) shared_access(2u, array, address, item)
#define SHARED_WRITE(array, address, item) shared_access(3u, array, address, item)

Item shared_access(uint kind, int of, int address, Item item) {
    record_access(kind, of, address, ITEM_WORDS, words_of_item(item));
    return item;
}
#endif
