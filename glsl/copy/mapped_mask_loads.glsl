// The loads of a mask that is a map of other streams: VECTOR words are computed from these, not read.
#include <streams>
#include "copy/map.glsl"

MaskRow mask_at(int row) {
    MaskRow mask;
    uint item[TO];
    for (int i = 0; i < VECTOR; i++) {
        map_item(row * VECTOR + i, item);
        MASK_WORD(mask, i) = item[0];
    }
    return mask;
}
