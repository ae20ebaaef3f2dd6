// merrill2016: the scan with decoupled look-back. Each tile is read once (SOURCE, scan/common/tile.glsl) and written
// once (TARGET, scan/common/store.glsl). The states that tiles publish are STATES (scan/common/states.glsl).
#include "scan/common/store.glsl"

layout(local_size_x = GROUP) in;

#include "scan/common/look_back.glsl"

void main() {
    int tile = next_tile();
    if (tile < u_groups) {
        Item before[MEMBERS];
        for (int m = 0; m < MEMBERS; m++) {
            before[m] = s_prefix[member_of(m)];
        }
        store_tile(tile, before);
    }
}
