//! roger2007: blocks, each compacted separately, and their concatenation; bits instead of sums.

use super::searching::{displaced, figure_5, p_sum};
use super::{Seen, Target, all};

/// A bit for each element of the stream, 1 if it is kept, the lowest first.
pub(super) fn bits(pass: &Seen<'_>) -> Vec<Target> {
    let per_item = 32 * pass.target().arity as usize;
    let kept = |index: usize| pass.given.kept.get(index).is_some_and(|kept| *kept);
    let item = |item: usize| {
        let word = |word: usize| (0..32).map(|bit| u32::from(kept(word * 32 + bit)) << bit).sum();
        (item * per_item / 32..(item + 1) * per_item / 32).map(word).collect()
    };
    vec![(0..pass.target().len as usize).map(|index| Some(item(index))).collect()]
}

/// The flag of each element, from the bits that a pass reads.
pub(super) fn wanted(pass: &Seen<'_>) -> Vec<bool> {
    let bits = pass.read("u_bits").all();
    (0..pass.len()).map(|index| bits[index / 32] >> (index % 32) & 1 == 1).collect()
}

/// The search, with sums taken from the bits.
pub(super) fn search_bits(pass: &Seen<'_>) -> Vec<Target> {
    let mut from = Vec::new();
    for wanted in wanted(pass).chunks(pass.define("BLOCK")) {
        let (first, p_sum) = (from.len(), p_sum(wanted));
        let found: Vec<_> = match pass.define("IMPROVED") {
            0 => displaced(&p_sum, wanted),
            _ => (0..wanted.len()).map(|i| figure_5(&p_sum, wanted, i).map(|found| found.place)).collect(),
        };
        from.extend(found.into_iter().map(|j| Some(first + j?)));
    }
    match pass.define("DRAWN") {
        0 => pass.moved(&from),
        _ => pass.moved(&drawn(pass).into_iter().map(|place| from[place?]).collect::<Vec<_>>()),
    }
}

/// The unwanted elements of each block, counted.
pub(super) fn counts(pass: &Seen<'_>) -> Vec<Target> {
    let wanted = wanted(pass);
    all(wanted.chunks(pass.define("BLOCK")).map(|block| block.iter().filter(|wanted| !**wanted).count()))
}

/// "The number of empty elements ... is the last element of the prefix sum."
pub(super) fn ends(pass: &Seen<'_>) -> Vec<Target> {
    let blocks = pass.read("u_sums").all().chunks(pass.define("BLOCK"));
    all(blocks.map(|block| block[block.len() - 1] as usize))
}

/// A segment: start, end, and the distance that its elements move.
type Segment = [usize; 3];

/// "The positions of the two ends of each segment", from the scanned counts.
fn ends_of_segments(pass: &Seen<'_>) -> Vec<Segment> {
    let (size, n) = (pass.define("BLOCK"), pass.len());
    let displacements = pass.read("u_sums").all();
    let segment = |block: usize| {
        let before = block.checked_sub(1).map_or(0, |before| displacements[before] as usize);
        let end = n.min((block + 1) * size).wrapping_sub(displacements[block] as usize);
        [block * size - before, end, before]
    };
    (0..displacements.len()).map(segment).collect()
}

/// The captured ends, once for each of the vertices that will draw a segment.
pub(super) fn segments(pass: &Seen<'_>) -> Vec<Target> {
    let vertices = pass.define("VERTICES");
    let segments = ends_of_segments(pass).into_iter();
    let captured = |segment: Segment| vec![Some(segment.map(|word| word as u32).to_vec()); vertices];
    vec![segments.flat_map(captured).collect()]
}

/// Figure 7: each texel of a segment takes the element at the segment's displacement to its right. PART 0 draws the
/// part up to the right edge of the row in which the segment begins, PART 1 the rest, and a pass without parts the
/// whole.
pub(super) fn concatenate(pass: &Seen<'_>) -> Vec<Target> {
    let from = drawn(pass);
    let names = ["u_moved_values", "u_moved_indices"];
    let sources = names.into_iter().filter_map(|name| pass.reads(name));
    sources.map(|source| from.iter().map(|j| j.map(|j| source.item(j).to_vec())).collect()).collect()
}

/// For each texel that segments draw, its place in the compacted blocks.
fn drawn(pass: &Seen<'_>) -> Vec<Option<usize>> {
    let width = pass.target().width as usize;
    let mut from = vec![None; pass.len()];
    let segments = match pass.draw.attributes.first() {
        None => ends_of_segments(pass),
        Some(slot) => {
            let captured = &pass.slots[slot];
            let segment = |vertex: usize| [0, 1, 2].map(|word| captured.item(vertex)[word] as usize);
            (0..captured.len()).map(segment).collect()
        }
    };
    for [start, end, way] in segments {
        let edge = (start / width + 1) * width;
        let drawn = match pass.defined("PART") {
            Some(0) => start..end.min(edge),
            Some(_) => start.max(edge)..end,
            None => start..end,
        };
        for place in drawn {
            from[place] = Some(place + way);
        }
    }
    from
}
