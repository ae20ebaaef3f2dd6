//! What is measured for sengupta2006: names, cases and lengths.

use crate::case::Case;
use crate::cell::Cell;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::cell;
use rasterscan::plan::NARROW;

pub(super) const KEY: &str = "sengupta2006";
/// The share kept: the paper does not say; half is neither end.
pub(super) const SHARE: f64 = 0.5;
/// Horn's compaction and Horn's scan, which have one name.
pub(super) const HORN: &str = "horn";
/// Blelloch's scan, down to a texture of one row.
pub(super) const BLELLOCH: &str = "blelloch";
pub(super) const COPY: &str = "copy:texture";
/// The number of reduce steps near which the paper's times level off.
pub(super) const LEVEL: u32 = 9;
/// Half as many: near 9 is not near this.
pub(super) const HALF: u32 = 4;
/// Past this many elements the paper's times rise sharply.
pub(super) const KNEE: u64 = 4096;
/// Lengths below the knee at which Horn's scan meets Blelloch's.
pub(super) const SHORT: [u64; 1] = [1 << 10];
/// A length at which a pass is nothing but its launch and the switch of its target.
pub(super) const TINY: u64 = 1 << 8;
/// Shares kept at which results are read back.
pub(super) const READ_BACK: [f64; 2] = [0.1, 0.9];

/// A length of section 4.
pub(super) struct Length {
    pub(super) n: u64,
    /// The reduce steps that the paper takes for it.
    pub(super) steps: u32,
    /// The hybrid's speed relative to Horn's.
    pub(super) factor: f64,
    /// Reduce steps of the hybrid that are tried in scans alone: half of those that leave [`KNEE`] elements, these, as
    /// section 2.4 says, and the paper's.
    pub(super) tried: [u32; 3],
}

pub(super) const LENGTHS: [Length; 2] = [
    Length { n: 1 << 18, steps: 9, factor: 3.0, tried: [3, 6, 9] },
    Length { n: 1 << 20, steps: 10, factor: 4.0, tried: [4, 8, 10] },
];

/// The compaction with the hybrid of so many reduce steps; none are Horn's.
pub(super) fn compaction(steps: u32) -> String {
    if steps == 0 { HORN.into() } else { format!("horn:scan=hybrid:reduce={steps}") }
}

/// The hybrid alone.
pub(super) fn hybrid(steps: u32) -> String {
    format!("hybrid:reduce={steps}")
}

pub(super) fn lengths(bounds: &Bounds) -> impl Iterator<Item = &'static Length> {
    let most = 1 << bounds.texture;
    LENGTHS.iter().filter(move |length| length.n <= most)
}

/// The length at which results are read back.
pub(super) fn read_back(bounds: &Bounds) -> &'static Length {
    lengths(bounds).last().unwrap_or(&LENGTHS[0])
}

/// The numbers of reduce steps for a length: as many as there are until one row is left.
pub(super) fn steps(bounds: &Bounds, n: u64) -> Vec<u32> {
    let rows = n.div_ceil(NARROW.into()).next_power_of_two();
    let all = if bounds.quick { vec![0, 2, HALF, 6, 8, LEVEL, 10, 12] } else { (0..=12).collect() };
    all.into_iter().filter(|steps| *steps <= rows.trailing_zeros()).collect()
}

/// The lengths at which time is drawn against n.
pub(super) fn against_n(bounds: &Bounds) -> Vec<u32> {
    bounds.within(bounds.texture.min(20), [8, 10, 12, 14, 16, 18, 20])
}

pub fn cells(bounds: &Bounds) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut add = |case: Case, names: Vec<String>| {
        cells.push(cell(case, &names.iter().map(String::as_str).collect::<Vec<_>>()));
    };
    for Length { n, tried, .. } in lengths(bounds) {
        let names = steps(bounds, *n).into_iter().map(compaction);
        add(Case::compact(*n, SHARE), names.chain([COPY.into()]).collect());
        let names = tried.iter().copied().map(hybrid);
        add(Case::scan(*n), names.chain([HORN.into(), BLELLOCH.into()]).collect());
    }
    for n in against_n(bounds).into_iter().map(|log2| 1u64 << log2) {
        if LENGTHS.iter().all(|length| length.n != n) {
            add(Case::compact(n, SHARE), vec![HORN.into(), compaction(LEVEL), COPY.into()]);
        }
    }
    for n in SHORT {
        add(Case::scan(n), vec![HORN.into(), BLELLOCH.into()]);
    }
    let Length { n, steps, .. } = read_back(bounds);
    for share in READ_BACK {
        // The copy is read back first, so that neither of the others is the first in its process.
        add(Case::compact(*n, share), vec![COPY.into(), HORN.into(), compaction(*steps)]);
    }
    cells
}
