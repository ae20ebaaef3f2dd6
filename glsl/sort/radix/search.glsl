// The search for the mask that holds a place: the last one that starts at the place or before it. The starts ascend.

struct Found {
    int mask;
    int start;
};

// Searches the masks from `low` on and below `high`. The start of `high` is past the place.
Found find_mask(int place, int low, int high) {
    Found found = Found(low, -1);
    while (high - found.mask > 1) { // at most 28 turns
        int middle = (found.mask + high) >> 1;
        int start = int(starts_at(middle));
        if (start <= place) {
            found = Found(middle, start);
        } else {
            high = middle;
        }
    }
    if (found.start < 0) {
        found.start = int(starts_at(found.mask));
    }
    return found;
}
