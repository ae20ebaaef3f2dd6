// Channel: a map of texels that are read as floats. It takes a channel as it is, or as one of u_levels + 1 integers.
uniform int u_channel;
uniform float u_levels; // 0 takes it as it is

void map(uint from[FROM], int index, out uint to[TO]) {
    uint bits = from[u_channel];
    to[0] = u_levels == 0.0 ? bits : uint(uintBitsToFloat(bits) * u_levels + 0.5);
}
