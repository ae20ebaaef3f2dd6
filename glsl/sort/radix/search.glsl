// The search for the mask that holds a place: the last one that starts at the place or before it. The starts ascend.

// A mask, its start, and its end; a later place if the end is that of no place searched for.
struct Found {
    int mask;
    int start;
    int end;
};

// Searches the masks from `low` on and below `high`. The start of `high` is past the place.
Found find_mask(int place, int low, int high) {
    Found found = Found(low, -1, 0x7FFFFFFF);
    while (high - found.mask > 1) { // at most 28 turns
        int middle = (found.mask + high) >> 1;
        int start = int(starts_at(middle));
        if (start <= place) {
            found.mask = middle;
            found.start = start;
        } else {
            high = middle;
            found.end = start;
        }
    }
    if (found.start < 0) {
        found.start = int(starts_at(found.mask));
    }
    return found;
}

// The mask that holds the place at which another one ends: most often the next one.
Found mask_after(Found last, int high) {
    int end = last.mask + 2 < starts_len() ? int(starts_at(last.mask + 2)) : 0x7FFFFFFF;
    if (end > last.end) {
        return Found(last.mask + 1, last.end, end);
    }
    return find_mask(last.end, last.mask + 2, high);
}
