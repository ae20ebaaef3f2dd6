// A point's texel: the words of its item.
#include "common/planes.glsl"

flat in uvec4 v_words;

layout(location = 0) out Texel o_item;

void main() {
    Texel item = Texel(0);
    for (int w = 0; w < WORDS; w++) {
        put_word(item, w, v_words[w]);
    }
    o_item = item;
}
