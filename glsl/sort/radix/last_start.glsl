// The last start from `low` on and below `high` that is not past a place. The starts ascend over all digits and blocks.
int last_start(int place, int low, int high) {
    while (high - low > 1) {
        int middle = (low + high) >> 1;
        if (int(starts_at(middle)) <= place) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
