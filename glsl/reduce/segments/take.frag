// Take: the last item of each segment, which holds its sum; of an empty segment the identity.
#include "common/item_planes.glsl"
#define PLANES ITEM_PLANES
#include "common/target.glsl"

uniform ItemSampler u_scanned;
uniform ivec4 u_scanned_shape;
uniform usampler2D u_offsets; // four to a texel
uniform ivec4 u_offsets_shape;
uniform ivec4 u_target_shape;
#if COUNTED_RESULTS
uniform usampler2D u_count;
uniform ivec4 u_count_shape;
#endif

int segments() {
#if COUNTED_RESULTS
    return int(min(fetch(u_count, ivec2(0), u_count_shape).x, uint(u_target_shape.w)));
#else
    return u_target_shape.w;
#endif
}

uint offset_at(int i) {
    return fetch(u_offsets, texel_in(i >> 2, u_offsets_shape), u_offsets_shape)[i & 3];
}

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * TARGET_ITEMS;
    int count = segments();
    Texel items[PLANES];
    for (int i = 0; i < PLANES; i++) {
        items[i] = Texel(0);
    }
    if (first < count) {
        uint begin = offset_at(first);
        for (int i = 0; i < TARGET_ITEMS; i++) {
            if (first + i < count) {
                // Offsets past the end, which only the GPU has seen, take no item from there.
                uint end = uint(u_scanned_shape.w);
                if (first + i + 1 < count) {
                    end = min(end, offset_at(first + i + 1));
                }
                Item item = identity();
                if (begin < end) {
                    int last = int(end) - 1;
                    ivec2 texel = texel_in(last / SOURCE_ITEMS, u_scanned_shape);
                    item = fetch_item_of(u_scanned, texel, last % SOURCE_ITEMS, u_scanned_shape);
                }
                put_item_in(items, i, item);
                begin = end;
            }
        }
    }
    write_texel(items);
}
