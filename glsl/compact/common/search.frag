// Binary search: position i of the result finds the element j that moves there, j - pSum[j] = i, where pSum[j] counts
// the unwanted elements up to and including j. In blocks of BLOCK elements, each searched on its own, or with BLOCK 0
// in the whole stream.
//
// Fixed length: STEPS halvings, for GPUs whose loops all run equally long. IMPROVED: roger2007, figure 5, a loop that
// ends when the element is found, and tightens both bounds by the distance to it.
#include "compact/common/sums.glsl"
#include "compact/common/move.glsl"
#include "compact/common/keep.glsl"

uniform ivec4 u_target_shape;

// The element that moves to a position; -1 if fewer are kept.
int element_for(int place) {
#if BLOCK
    int first = place & ~(BLOCK - 1);
    int size = min(u_sums_shape.w - first, BLOCK);
#else
    int first = 0;
    int size = u_sums_shape.w;
#endif
    int i = place - first;
    if (i >= size) {
        return -1;
    }
    int lower = i + sum_at(place);
    int upper = i + sum_at(first + size - 1);
    if (upper > size - 1) {
        return -1;
    }

#if IMPROVED
    int j = (lower + upper) / 2;
    int found = j - sum_at(first + j) - i;
    while (found != 0 || kept_at(texel_at(first + j, DECIDING_SHAPE)) == 0u) { // at most 32 turns: each halves what is left
        if (found < 0) {
            lower = j - found;
        } else {
            upper = j - max(1, found);
        }
        j = (lower + upper) / 2;
        found = j - sum_at(first + j) - i;
    }
#else
    // The first index up to which i + 1 elements are kept.
    for (int step = 0; step < STEPS; step++) {
        int middle = (lower + upper) / 2;
        if (middle - sum_at(first + middle) >= i) {
            upper = middle;
        } else {
            lower = middle + 1;
        }
    }
    int j = upper;
#endif
    return first + j;
}

void main() {
    int element = element_for(index_of(ivec2(gl_FragCoord.xy), u_target_shape));
    if (element >= 0) {
        move_from(element);
    } else {
        discard;
    }
}
