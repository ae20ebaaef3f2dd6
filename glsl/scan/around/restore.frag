// Restore: the results where their items were, without flags, and after the seed (SEEDED).
#define USES_FLAGS EXCLUSIVE
#include "scan/around/textures.glsl"

#if SEEDED
uniform Sampler u_seed; // a tuple, an item to a texel
uniform ivec4 u_seed_shape;
#endif

layout(location = 0) out Texel o_results;

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * TARGET_ITEMS;
    Texel results = Texel(0);
    for (int i = 0; i < TARGET_ITEMS; i++) {
        int index = first + i;
        if (index < u_len) {
            int visit = visit_of_index(index);
            Texel texel = fetch(u_source, texel_in(visit / SOURCE_ITEMS, u_source_shape), u_source_shape);
            Item item = item_of(texel, visit % SOURCE_ITEMS * ITEM_WORDS);
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
            ivec2 member = texel_in(visit % TUPLE, u_seed_shape);
            value = combine_values(value_of(fetch(u_seed, member, u_seed_shape), 0), value);
#endif
            put_value(results, i * VALUE_WORDS, value);
        }
    }
    o_results = results;
}
