// Map: what a function of the caller's makes of each item: FROM words become TO words.
#include <streams>
#include "common/planes.glsl"
#define PLANES PLANES_OF(TO)
#include "common/target.glsl"
#include "copy/map.glsl"

void main() {
    int first = target_index();
    Texel planes[PLANES];
    for (int i = 0; i < PLANES; i++) {
        planes[i] = Texel(0);
    }
    for (int i = 0; i < TARGET_ITEMS; i++) {
        if (first + i < target_len()) {
            uint to[TO];
            map_item(first + i, to);
            for (int w = 0; w < TO; w++) {
                int word = i * TO + w;
                put_word(planes[word / 4], word % 4, to[w]);
            }
        }
    }
    write_texel(planes);
}
