// The bin of an item: edge_at(index) is to be one of BINS + 1 ascending edges.
#include <element>

// BINS if the item is in none.
int bin_of(Element item) {
    int low = -1;
    int high = BINS + 1;
    while (high - low > 1) { // at most 31 turns
        int middle = (low + high) / 2;
        // Nothing is less than NaN, nor NaN less: it ends past the last edge.
        if (element_less(item, edge_at(middle))) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return low < 0 ? BINS : low;
}
