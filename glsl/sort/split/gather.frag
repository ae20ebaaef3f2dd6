// split: each place finds its key. Keys with a 0 in the bit come first, so a place among them is the number of zeros before its
// key, and a place behind them, less all zeros, the number of ones. u_sums counts the zeros up to each key.
#include <streams>
#include "sort/common/move.glsl"

// The first key up to which there are more than `rank` ones, or zeros.
int key_of(bool is_one, int rank, int zeros) {
    int low = rank;
    int high = rank + (is_one ? zeros : sums_len() - zeros); // all others lie before it
    while (low < high) { // at most 31 turns: each halves what is left
        int middle = (low + high) >> 1;
        int upto = int(sums_at(middle));
        if ((is_one ? middle + 1 - upto : upto) > rank) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

void main() {
    int zeros = int(sums_at(sums_len() - 1));
    ivec4 found = ivec4(-1);
    for (int i = 0; i < ITEMS; i++) {
        int place = target_index() + i;
        if (place < target_len()) {
            bool is_one = place >= zeros;
            found[i] = key_of(is_one, is_one ? place - zeros : place, zeros);
        }
    }
    move_from(found);
}
