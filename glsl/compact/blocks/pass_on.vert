// Hands a captured segment on to the geometry stage.
layout(location = 0) in uvec3 a_segment;

flat out uvec3 v_segment;

void main() {
    v_segment = a_segment;
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
