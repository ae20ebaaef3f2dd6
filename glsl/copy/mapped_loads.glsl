// The loads of a dispatch over a map of other streams: LOAD words are computed from these, not read.
#include <streams>
#include "copy/map.glsl"

Loaded load_at(int place) {
    Loaded loaded;
    uint item[TO];
    for (int i = 0; i < LOAD; i++) {
        int word = place * LOAD + i;
        // Where loads are whole items, the index is one that compilers know: NVIDIA runs out of room for arrays.
        int in_item = (LOAD % TO == 0 ? i : word) % TO;
        if (i == 0 || in_item == 0) {
            map_item(word / TO, item);
        }
        LOADED_WORD(loaded, i) = item[in_item];
    }
    return loaded;
}
