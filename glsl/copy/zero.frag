// Zeros, before a pass that writes some items.
#include <element>

layout(location = 0) out Texel o_zero;

void main() {
    o_zero = Texel(0);
}
