// radix: how many keys of the groups before this one in its block of 16 have each digit.
#include <streams>

layout(location = 0) out uvec4 o_counts;

void main() {
    int group = target_index();
    uvec4 before = uvec4(0u);
    for (int i = group & ~15; i < group; i++) {
        before += counts_at(i);
    }
    o_counts = before;
}
