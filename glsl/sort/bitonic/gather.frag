// bitonic: each place takes the key, and its payloads, of the index that is sorted there.
#include <streams>
#include "sort/common/move.glsl"

void main() {
    ivec4 found = ivec4(-1);
    for (int i = 0; i < ITEMS; i++) {
        int place = target_index() + i;
        found[i] = place < target_len() ? int(indices_at(place)) : -1;
    }
    move_from(found);
}
