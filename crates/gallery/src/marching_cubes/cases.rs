//! The triangles of each case of a cell, as lorensen1987 has them, but made and not listed.
//!
//! Corner c of a cell is at x = c & 1, y = c >> 1 & 1, z = c >> 2. A case has a bit for each corner that lies inside.

/// The corners of an edge: edges 4a to 4a + 3 go along axis a.
pub fn ends(edge: usize) -> [usize; 2] {
    let (axis, other) = (edge / 4, edge % 4);
    let from = [other << 1, (other & 1) | (other & 2) << 1, other][axis];
    [from, from | 1 << axis]
}

/// The triangles of a case, as edges. On each face, a line cuts off each row of corners that lie inside; all lines of a cell
/// make loops, and each loop is a fan of triangles. Neighbours agree on the lines of their common face, so nothing gapes.
pub fn triangles(case: usize) -> Vec<[usize; 3]> {
    let is_inside = |corner: usize| case >> corner & 1 == 1;
    let edge = |a: usize, b: usize| (0..12).find(|e| [[a, b], [b, a]].contains(&ends(*e))).unwrap_or(0);
    let mut next = [None; 12];
    for (axis, side) in (0..3).flat_map(|axis| [(axis, 0), (axis, 1)]) {
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        let mut around = [0, u, u | v, v].map(|corner| corner | side << axis);
        if side == 0 {
            around.reverse();
        }
        let at = |i: usize| around[i % 4];
        for i in (4..8).filter(|i| is_inside(at(*i)) && !is_inside(at(i + 1))) {
            let begin = (0..4).map(|back| i - back).find(|j| !is_inside(at(j - 1))).unwrap_or(i);
            next[edge(at(i), at(i + 1))] = Some(edge(at(begin - 1), at(begin)));
        }
    }
    let mut found = Vec::new();
    for first in 0..12 {
        let mut ring = Vec::new();
        let mut at = first;
        while let Some(to) = next[at].take() {
            ring.push(at);
            at = to;
        }
        found.extend(ring.windows(2).skip(1).map(|pair| [first, pair[0], pair[1]]));
    }
    found
}

/// For each case two words: its edges, four bits each, and in the highest four the number of triangles.
pub fn cases() -> Vec<u32> {
    let words = |case| {
        let triangles = triangles(case);
        let edges = triangles.iter().flatten().enumerate();
        let packed = edges.fold(0u64, |packed, (place, edge)| packed | (*edge as u64) << (4 * place));
        let packed = packed | (triangles.len() as u64) << 60;
        [packed as u32, (packed >> 32) as u32]
    };
    (0..256).flat_map(words).collect()
}
