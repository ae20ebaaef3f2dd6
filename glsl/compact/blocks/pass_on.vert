// Passes a segment on to the geometry stage.
#include "common/stream.glsl"
#include "compact/blocks/ends.glsl"

flat out uvec3 v_segment;

void main() {
    v_segment = own_segment();
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
