// The unknowns of a level from those of the next coarser one, which has every other of them.
#include <streams>
uniform int u_width;
layout(location = 0) out float o_unknown;

void main() {
    int half_width = u_width / 2, row = target_index() / u_width, column = target_index() % u_width;
    int coarse = row * half_width + column / 2;
    float right = column / 2 < half_width ? coarser_at(coarse) : 0.0;
    float left = column > 0 ? coarser_at(coarse - 1) : 0.0;
    vec4 equation = finer_at(target_index());
    o_unknown = column % 2 == 1 ? right : (equation.w - equation.x * left - equation.z * right) / equation.y;
}
