// Four keys, each with the index that it had, which are compared with four others. u_bits are the bits that count; equal keys
// go by their index.
uniform uint u_bits;

uvec4 t_keys = uvec4(0u);
uvec4 t_indices = uvec4(0u);

// Keeps of each key and another one the first, or the second.
void keep(uvec4 keys, uvec4 indices, bvec4 first) {
    uvec4 own = t_keys & u_bits;
    uvec4 other = keys & u_bits;
    ivec4 by_index = ivec4(equal(own, other)) * ivec4(lessThan(t_indices, indices));
    ivec4 is_first = ivec4(lessThan(own, other)) + by_index;
    uvec4 exchanged = 0u - uvec4(notEqual(is_first, ivec4(first))); // all bits, or none
    t_keys ^= (t_keys ^ keys) & exchanged;
    t_indices ^= (t_indices ^ indices) & exchanged;
}

// Which of these places keep the first key of a pair at a distance: runs alternate in direction.
bvec4 keep_first(ivec4 places, int run, int distance) {
    return equal(equal(places & run, ivec4(0)), equal(places & distance, ivec4(0)));
}

// The steps of a run at distances 2 and 1, which lie in the texel.
void step_in_texel(ivec4 places, int run) {
    if (run > 2) {
        keep(t_keys.zwxy, t_indices.zwxy, keep_first(places, run, 2));
    }
    keep(t_keys.yxwz, t_indices.yxwz, keep_first(places, run, 1));
}
