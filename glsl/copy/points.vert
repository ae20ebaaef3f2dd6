// A copy by vertices: each fetches a texel, and is a point in its place.
#include "common/fetch.glsl"
#include "common/planes.glsl"

uniform Sampler u_source;
uniform ivec4 u_source_shape;
uniform ivec4 u_target_shape;

flat out uvec4 v_words;

void main() {
    ivec2 here = texel_at(gl_VertexID, u_source_shape);
    Texel texel = fetch(u_source, here, u_source_shape);
    v_words = uvec4(0u);
    for (int w = 0; w < WORDS; w++) {
        v_words[w] = word_of(texel, w);
    }
    gl_PointSize = 1.0;
    gl_Position = position_at(vec2(here) + 0.5, u_target_shape);
}
