//! roger2007: blocks, concatenated by drawing lines.

mod counted;
mod figures;
mod parameters;
mod parts;
mod print;
mod speed_ups;

use crate::case::Case;
use crate::cell::Cell;
use crate::report::page::Section;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::{cell, section as new_section};
use crate::reproduce::printed::{Printed, printed};
use crate::reproduce::rows::Rows;

/// If not stated otherwise, the paper's share.
const SHARE: f64 = 0.6;
/// Blocks as the paper describes them: of 64, with both optimisations, and with segments that the vertex stage
/// computes.
const PAPER: &str = "blocks:ends=fetched,search=while,wrap=geometry";
/// Blocks with the default parameters: without a geometry shader, and with segments that are captured.
const DEFAULT: &str = "blocks";
/// Blocks with neither optimisation, and with one of them.
const PLAIN: &str = "blocks:ends=fetched,search=for,wrap=twice";
const SEARCH_ALONE: &str = "blocks:ends=fetched,search=while,wrap=twice";
const LINES_ALONE: &str = "blocks:ends=fetched,search=for,wrap=geometry";
/// Blocks with Blelloch's scans in the place of Hillis and Steele's.
const INNER_BLELLOCH: &str = "blocks:inner=blelloch,ends=fetched,search=while,wrap=geometry";
/// Blocks whose counts are scanned by the hybrid.
const GLOBAL_HYBRID: &str = "blocks:ends=fetched,search=while,wrap=geometry,scan=hybrid";
const HORN: &str = "horn";
const BLELLOCH: &str = "horn:scan=blelloch";
/// sengupta2006's compaction, with the reduce steps that it takes for 2^20 elements.
const HYBRID: &str = "horn:scan=hybrid:reduce=10";
const GEOMETRY: &str = "geometry";
const SORTING: &str = "bitonic";
/// The scan of harris2007 by compute shaders.
const CUDA: &str = "harris:variant=zero_conflict";
const COPY: &str = "copy:texture";

/// Sizes of blocks.
const SIZES: [u32; 8] = [8, 16, 32, 64, 128, 256, 512, 1024];
/// Those of figure 8, and of the claims on all lengths.
const SOME_SIZES: [u32; 5] = [8, 32, 64, 128, 512];
const BEST: u32 = 64;

/// The length of figures 9 and 10.
const FIGURES: u64 = 1 << 22;
/// From here on lengths are the paper's.
const SHORTEST: u64 = 1 << 18;
/// Lengths up to which sorting is timed; it takes hundreds of copies.
const SORTED: [u64; 2] = [1 << 18, 1 << 20];
/// The length at which the paper quotes sengupta2006.
const QUOTED: u64 = 1 << 20;

/// Table I.
fn table_1() -> &'static Printed {
    printed("roger2007", "Table I")
}

fn compacted(n: u64) -> Case {
    Case::compact(n, SHARE)
}

/// Blocks as the paper describes them, of this size.
fn sized(size: u32) -> String {
    format!("blocks:size={size},ends=fetched,search=while,wrap=geometry")
}

/// The length at which block sizes and shares are measured: the paper's, unless that is too long for the run.
fn fixed(bounds: &Bounds) -> u64 {
    FIGURES.min(1 << bounds.texture)
}

/// The lengths of table I; shorter ones where those would leave too few.
fn lengths(bounds: &Bounds) -> Vec<u64> {
    let powers: &[u32] = if 1 << bounds.texture > SHORTEST { &[18, 20, 22, 24] } else { &[14, 16, 18] };
    let powers = bounds.within(bounds.texture, powers.iter().copied());
    powers.into_iter().map(|log2| 1 << log2).collect()
}

/// Those that are long enough to be the paper's.
fn long(bounds: &Bounds) -> Vec<u64> {
    lengths(bounds).into_iter().filter(|n| *n >= SHORTEST).collect()
}

/// The three longest, at which time is linear or not.
fn longest(bounds: &Bounds) -> [u64; 3] {
    match lengths(bounds)[..] {
        [.., a, b, c] => [a, b, c],
        _ => [1 << 14, 1 << 16, 1 << 18],
    }
}

/// The shares of figure 9.
fn shares(bounds: &Bounds) -> Vec<f64> {
    let tenths: &[u32] =
        if bounds.quick { &[0, 2, 4, 6, 7, 8, 10] } else { &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] };
    tenths.iter().map(|tenth| f64::from(*tenth) / 10.0).collect()
}

/// The sizes of blocks at a length.
fn sizes(bounds: &Bounds, n: u64) -> &'static [u32] {
    if n == fixed(bounds) { &SIZES } else { &SOME_SIZES }
}

/// The contenders at a length, except those of other block sizes.
fn contenders(n: u64) -> Vec<&'static str> {
    let mut names = vec![COPY, PAPER, DEFAULT, BLELLOCH];
    // The paper could not run these on longer streams.
    if n <= FIGURES {
        names.extend([HORN, GEOMETRY]);
    }
    if n >= SHORTEST {
        names.extend([INNER_BLELLOCH, GLOBAL_HYBRID, PLAIN, SEARCH_ALONE, LINES_ALONE]);
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

pub fn section(rows: &Rows<'_>, bounds: &Bounds) -> Section {
    let mut section = new_section(
        "roger2007",
        "Stream reduction by blocks and lines",
        "D. Roger, U. Assarsson, N. Holzschuch: Efficient Stream Reduction on the GPU. Workshop on General \
         Purpose Processing on Graphics Processing Units, 2007.",
    );
    section.notes = print::notes();
    section.claims = speed_ups::claims(rows, bounds);
    section.claims.extend(parameters::claims(rows, bounds));
    section.claims.extend(parts::claims(rows));
    section.claims.extend(counted::claims());
    section.tables = vec![table_1().table(), speed_ups::table(rows), speed_ups::cuda_table(rows)];
    section.figures = figures::figures(rows, bounds);
    section.errata = print::errata();
    section
}

#[cfg(test)]
mod tests;
