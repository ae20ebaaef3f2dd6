//! What is measured for roger2007: names, cases and lengths.

use crate::case::Case;
use crate::cell::Cell;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::cell;
use crate::reproduce::printed::{Printed, printed};

pub(super) const KEY: &str = "roger2007";
/// If not stated otherwise, the paper's share.
pub(super) const SHARE: f64 = 0.6;
/// Blocks as the paper describes them: of 64, with both optimisations, and with segments that the vertex stage
/// computes.
pub(super) const PAPER: &str = "blocks:ends=fetched,search=while,wrap=geometry";
/// Blocks with the default parameters: without a geometry shader, and with segments that are captured.
pub(super) const DEFAULT: &str = "blocks";
/// Blocks with neither optimisation, and with one of them.
pub(super) const PLAIN: &str = "blocks:ends=fetched,search=for,wrap=twice";
pub(super) const SEARCH_ALONE: &str = "blocks:ends=fetched,search=while,wrap=twice";
pub(super) const LINES_ALONE: &str = "blocks:ends=fetched,search=for,wrap=geometry";
/// Blocks with Blelloch's scans in the place of Hillis and Steele's.
pub(super) const INNER_BLELLOCH: &str = "blocks:inner=blelloch,ends=fetched,search=while,wrap=geometry";
/// Blocks with the hybrid in the place of Hillis and Steele's scan, inside and for their counts.
pub(super) const INNER_HYBRID: &str = "blocks:inner=hybrid,ends=fetched,search=while,wrap=geometry";
/// Blocks whose counts are scanned by the hybrid.
pub(super) const GLOBAL_HYBRID: &str = "blocks:ends=fetched,search=while,wrap=geometry,scan=hybrid";
pub(super) const HORN: &str = "horn";
pub(super) const BLELLOCH: &str = "horn:scan=blelloch";
/// sengupta2006's compaction, with the reduce steps that it takes for 2^20 elements.
pub(super) const HYBRID: &str = "horn:scan=hybrid:reduce=10";
pub(super) const GEOMETRY: &str = "geometry";
pub(super) const SORTING: &str = "bitonic";
/// The scan of harris2007 by compute shaders.
pub(super) const CUDA: &str = "harris:variant=zero_conflict";
pub(super) const COPY: &str = "copy:texture";

/// Sizes of blocks.
pub(super) const SIZES: [u32; 8] = [8, 16, 32, 64, 128, 256, 512, 1024];
/// Those of figure 8, and of the claims on all lengths.
pub(super) const SOME_SIZES: [u32; 5] = [8, 32, 64, 128, 512];
pub(super) const BEST: u32 = 64;

/// The length of figures 9 and 10.
pub(super) const FIGURES: u64 = 1 << 22;
/// From here on lengths are the paper's.
pub(super) const SHORTEST: u64 = 1 << 18;
/// Lengths up to which sorting is timed; it takes hundreds of copies.
pub(super) const SORTED: [u64; 2] = [1 << 18, 1 << 20];
/// The length at which the paper quotes sengupta2006.
pub(super) const QUOTED: u64 = 1 << 20;

/// Table I.
pub(super) fn table_1() -> &'static Printed {
    printed(KEY, "Table I")
}

pub(super) fn compacted(n: u64) -> Case {
    Case::compact(n, SHARE)
}

/// Blocks as the paper describes them, of this size.
pub(super) fn sized(size: u32) -> String {
    format!("blocks:size={size},ends=fetched,search=while,wrap=geometry")
}

/// The length at which block sizes and shares are measured: the paper's, unless that is too long for the run.
pub(super) fn fixed(bounds: &Bounds) -> u64 {
    FIGURES.min(1 << bounds.texture)
}

/// The lengths of table I; shorter ones where those would leave too few.
pub(super) fn lengths(bounds: &Bounds) -> Vec<u64> {
    let powers: &[u32] = if 1 << bounds.texture > SHORTEST { &[18, 20, 22, 24] } else { &[14, 16, 18] };
    let powers = bounds.within(bounds.texture, powers.iter().copied());
    powers.into_iter().map(|log2| 1 << log2).collect()
}

/// Those that are long enough to be the paper's.
pub(super) fn long(bounds: &Bounds) -> Vec<u64> {
    lengths(bounds).into_iter().filter(|n| *n >= SHORTEST).collect()
}

/// The three longest, at which time is linear or not.
pub(super) fn longest(bounds: &Bounds) -> [u64; 3] {
    match lengths(bounds)[..] {
        [.., a, b, c] => [a, b, c],
        _ => [1 << 14, 1 << 16, 1 << 18],
    }
}

/// The shares of figure 9.
pub(super) fn shares(bounds: &Bounds) -> Vec<f64> {
    let tenths: &[u32] =
        if bounds.quick { &[0, 2, 4, 6, 7, 8, 10] } else { &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] };
    tenths.iter().map(|tenth| f64::from(*tenth) / 10.0).collect()
}

/// The sizes of blocks at a length.
pub(super) fn sizes(bounds: &Bounds, n: u64) -> &'static [u32] {
    if n == fixed(bounds) { &SIZES } else { &SOME_SIZES }
}

/// The contenders at a length, except those of other block sizes.
pub(super) fn contenders(n: u64) -> Vec<&'static str> {
    let mut names = vec![COPY, PAPER, DEFAULT, BLELLOCH];
    // The paper could not run these on longer streams.
    if n <= FIGURES {
        names.extend([HORN, GEOMETRY]);
    }
    if n >= SHORTEST {
        names.extend([INNER_BLELLOCH, INNER_HYBRID, GLOBAL_HYBRID, PLAIN, SEARCH_ALONE, LINES_ALONE]);
    }
    if n == QUOTED {
        names.push(HYBRID);
    }
    if SORTED.contains(&n) {
        names.push(SORTING);
    }
    names
}

pub fn cells(bounds: &Bounds) -> Vec<Cell> {
    let mut cells = Vec::new();
    for n in lengths(bounds) {
        cells.push(cell(compacted(n), &contenders(n)));
        let names: Vec<String> = sizes(bounds, n).iter().map(|size| sized(*size)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        cells.push(Cell { phases: n == fixed(bounds), ..cell(compacted(n), &names) });
        if n >= SHORTEST {
            cells.push(cell(Case::scan(n), &[CUDA]));
        }
    }
    // The paper's own share is in the cells above.
    for share in shares(bounds).into_iter().filter(|share| *share != SHARE) {
        cells.push(cell(Case::compact(fixed(bounds), share), &[PAPER]));
    }
    cells
}
