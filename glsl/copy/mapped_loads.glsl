// The loads of a dispatch over a map of other streams: LOAD words are computed from these, not read.
#include <streams>
#include "copy/map.glsl"

Loaded load_at(int place) {
    Loaded loaded;
    uint item[TO];
    for (int i = 0; i < LOAD; i++) {
        int word = place * LOAD + i;
        if (i == 0 || word % TO == 0) {
            map_item(word / TO, item);
        }
        LOADED_WORD(loaded, i) = item[word % TO];
    }
    return loaded;
}
