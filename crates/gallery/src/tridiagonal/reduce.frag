// Every other equation of a row, without its neighbours: one equation of (a, b, c, d) is a x[i - 1] + b x[i] + c x[i + 1] = d.
#include <streams>
uniform int u_width;
layout(location = 0) out vec4 o_equation;

void main() {
    int half_width = u_width / 2, row = target_index() / half_width, column = target_index() % half_width * 2 + 1;
    int here = row * u_width + column;
    vec4 middle = finer_at(here), left = finer_at(here - 1);
    vec4 right = column + 1 < u_width ? finer_at(here + 1) : vec4(0.0, 1.0, 0.0, 0.0);
    float by_left = middle.x / left.y, by_right = middle.z / right.y;
    float diagonal = middle.y - left.z * by_left - right.x * by_right;
    float sum = middle.w - left.w * by_left - right.w * by_right;
    o_equation = vec4(-left.x * by_left, diagonal, -right.z * by_right, sum);
}
