// sorted: how many items each bin has, by their sorted bins.
#include <streams>

layout(location = 0) out uvec4 o_count;

// How many items have a lower bin.
int items_below(int bin) {
    int low = 0;
    int high = sorted_len();
    while (low < high) { // at most 31 turns
        int middle = (low + high) / 2;
        if (int(sorted_at(middle)) < bin) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void main() {
    int bin = target_index();
    o_count = uvec4(items_below(bin + 1) - items_below(bin));
}
