// Restore: the results where their items were, without flags, and after the seed (SEEDED).
#define USES_FLAGS EXCLUSIVE
#include "scan/option_passes/textures.glsl"
#define PLANES VALUE_PLANES
#include "common/target.glsl"

uniform ItemSampler u_source;
uniform ivec4 u_source_shape;
#if SEEDED
uniform ValueSampler u_seed; // a tuple, an item to a texel
uniform ivec4 u_seed_shape;
#endif

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * TARGET_ITEMS;
    Texel results[PLANES];
    for (int i = 0; i < PLANES; i++) {
        results[i] = Texel(0);
    }
    for (int i = 0; i < TARGET_ITEMS; i++) {
        int index = first + i;
        if (index < u_len) {
            int visit = visit_of_index(index);
            Item item = item_in(u_source, visit, SOURCE_ITEMS, u_source_shape);
#if SPLIT
            Value value = item.value;
#if EXCLUSIVE
            // The item before belongs to another scan.
            if (begins(visit, index)) {
                value = no_value();
            }
#endif
#else
            Value value = item;
#endif
#if SEEDED
            value = combine_values(value_in(u_seed, visit % TUPLE, 1, u_seed_shape), value);
#endif
            put_value_in(results, i, value);
        }
    }
    write_texel(results);
}
