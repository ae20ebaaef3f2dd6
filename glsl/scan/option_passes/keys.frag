// Keys: flags that are set where a key differs from the one before; a word to a texel. Keys are equal if their bits are.
#include <element>
#include "common/fetch.glsl"

uniform Sampler u_keys;
uniform ivec4 u_keys_shape;
uniform ivec4 u_target_shape;

layout(location = 0) out uvec4 o_flags;

uvec2 key_at(int index) {
    Texel texel = fetch(u_keys, texel_in(index / KEYS, u_keys_shape), u_keys_shape);
    return bits_of_element(element_of(texel, index % KEYS * ELEMENT_WORDS));
}

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * 32;
    uint flags = 0u;
    uvec2 before = uvec2(0u);
    if (first > 0 && first <= u_keys_shape.w) {
        before = key_at(first - 1);
    }
    for (int i = 0; i < 32; i++) {
        if (first + i < u_keys_shape.w) {
            uvec2 key = key_at(first + i);
            if (first + i == 0 || key != before) {
                flags |= 1u << uint(i);
            }
            before = key;
        }
    }
    o_flags = uvec4(flags);
}
