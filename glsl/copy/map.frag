// Map: what a function of the caller's makes of each item: FROM words become TO words.
#include "common/planes.glsl"
#define PLANES PLANES_OF(TO)
#include "common/target.glsl"
#include "copy/map.glsl"

// The source's channels: SOURCE_CHANNEL is 0 for unsigned integers, 1 for signed ones, 2 for floats.
#if SOURCE_CHANNEL == 0
#define SourceTexel uvec4
#define source_word(texel, channel) (texel)[channel]
#if FROM <= 4
#define SourceSampler usampler2D
#else
#define SourceSampler usampler2DArray
#endif
#elif SOURCE_CHANNEL == 1
#define SourceTexel ivec4
#define source_word(texel, channel) uint((texel)[channel])
#if FROM <= 4
#define SourceSampler isampler2D
#else
#define SourceSampler isampler2DArray
#endif
#else
#define SourceTexel vec4
#define source_word(texel, channel) floatBitsToUint((texel)[channel])
#if FROM <= 4
#define SourceSampler sampler2D
#else
#define SourceSampler sampler2DArray
#endif
#endif

uniform SourceSampler u_source;
uniform ivec4 u_source_shape;
uniform ivec4 u_target_shape;

void load(int index, out uint words[FROM]) {
    ivec2 at = texel_in(index / SOURCE_ITEMS, u_source_shape);
#if FROM <= 4
    SourceTexel texel = fetch(u_source, at, u_source_shape);
    for (int i = 0; i < FROM; i++) {
        words[i] = source_word(texel, index % SOURCE_ITEMS * FROM + i);
    }
#else
    RECORD_READ(index_of(at, u_source_shape), u_source_shape);
    for (int i = 0; i < FROM; i++) {
        SourceTexel texel = texelFetch(u_source, ivec3(at, i / 4), 0);
        words[i] = source_word(texel, i % 4);
    }
#endif
}

void main() {
    int first = index_of(ivec2(gl_FragCoord.xy), u_target_shape) * TARGET_ITEMS;
    Texel planes[PLANES];
    for (int i = 0; i < PLANES; i++) {
        planes[i] = Texel(0);
    }
    for (int i = 0; i < TARGET_ITEMS; i++) {
        if (first + i < u_target_shape.w) {
            uint from[FROM];
            uint to[TO];
            load(first + i, from);
            map(from, first + i, to);
            for (int w = 0; w < TO; w++) {
                int word = i * TO + w;
                put_word(planes[word / 4], word % 4, to[w]);
            }
        }
    }
    write_texel(planes);
}
