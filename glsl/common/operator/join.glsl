// Intervals of a stream, for proofs: [a, b) then [b, c) is [a, c); any other two are broken, which absorbs everything
// but the identity. The sequential twin is in src/operator/interval.rs.
//
// Every word has a mark, so none is zero, and as a float each is a normal number.
const uint MARK = 0x20000000u;

// The ends of an interval; equal for the identity, in the wrong order for a broken interval.
const uvec2 EMPTY = uvec2(0u, 0u);
const uvec2 BROKEN = uvec2(1u, 0u);

uvec2 ends_of(Item item) {
    uvec4 words = words_of_item(item);
#if ITEM_WORDS == 1
    uvec2 ends = uvec2(words.x >> 14, words.x) & 0x3FFFu;
    bool whole = words.x >> 28 == MARK >> 28;
#elif ITEM_WORDS == 2
    uvec2 ends = words.xy ^ MARK;
    bool whole = words.xy >> 29 == uvec2(1u);
#else
    uvec2 ends = words.xz ^ MARK;
    bool whole = words.xz >> 29 == uvec2(1u) && words.yw == ~words.xz;
#endif
    return whole && (ends == EMPTY || ends.x < ends.y) ? ends : BROKEN;
}

Item item_of_ends(uvec2 ends) {
#if ITEM_WORDS == 1
    return item_of_words(uvec4(MARK | ends.x << 14 | ends.y, 0u, 0u, 0u));
#elif ITEM_WORDS == 2
    return item_of_words(uvec4(MARK | ends, 0u, 0u));
#else
    uvec2 marked = MARK | ends;
    return item_of_words(uvec4(marked, ~marked).xzyw);
#endif
}

Item identity() { return item_of_ends(EMPTY); }

Item combine(Item left, Item right) {
    uvec2 l = ends_of(left), r = ends_of(right);
    if (l == EMPTY) {
        return item_of_ends(r);
    }
    if (r == EMPTY) {
        return item_of_ends(l);
    }
    return item_of_ends(l != BROKEN && r != BROKEN && l.y == r.x ? uvec2(l.x, r.y) : BROKEN);
}
