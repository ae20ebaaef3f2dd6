// A vertex: its place in the grid, and the number of the grid's edge that it lies on. WALK is a DESCEND for each level.
layout(location = 0) out vec4 o_vertex;

// The quarter in which the triangle is; `rank` becomes its number there.
int quarter(uvec4 counts, inout uint rank) {
    uvec3 before = uvec3(counts.x, counts.x + counts.y, counts.x + counts.y + counts.z);
    int found = int(rank >= before.x) + int(rank >= before.y) + int(rank >= before.z);
    rank -= found == 0 ? 0u : before[found - 1];
    return found;
}

#define DESCEND(level_at) first = 4 * cell; cell = first + quarter( \
    uvec4(level_at(first), level_at(first + 1), level_at(first + 2), level_at(first + 3)), rank);

void main() {
    int vertex = target_index(), cell = 0, first;
    uint rank = uint(vertex / 3);
    WALK
    // Past the last triangle, the walk ends at any cell.
    uint corner = min(3u * rank + uint(vertex % 3), 14u);
    int edge = int(cases_at(2 * cell_case(cell) + int(corner / 8u)) >> (corner % 8u * 4u) & 15u);
    int axis = edge / 4, other = edge % 4;
    int from = cell_corner(cell, axis == 0 ? other << 1 : axis == 1 ? (other & 1) | (other & 2) << 1 : other);
    int to = from + (axis == 0 ? 1 : axis == 1 ? u_side : u_side * u_side);
    float here = field_at(from), there = field_at(to);
    vec3 place = vec3(cell_place(from));
    place[axis] += here / (here - there);
    o_vertex = vec4(place, float(3 * from + axis));
}
