//! What is measured for capannini2011: names, cases and lengths.

use crate::case::Case;
use crate::cell::Cell;
use crate::contender::Contender;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::cell;
use rasterscan::ElementType;
use rasterscan::scan::compute::{AccessPattern, Capannini};

pub(super) const KEY: &str = "capannini2011";

/// Banks of shared memory of today's hardware, in words of 32 bits.
pub(super) const BANKS: u64 = 32;
/// Banks of the paper's hardware. Numbers of 64 bits have as many on today's.
pub(super) const BANKS_IN_PRINT: u64 = 16;

/// The longest block of the paper, and of the library, as a power of two. It is 8 k² on the paper's banks, 2 k² on ours.
pub(super) const LONGEST: u32 = 11;

/// Elements of figure 4, as powers of two. The text does not give its range: from the shortest block of the experiments on.
pub(super) const FIGURE_4: std::ops::RangeInclusive<u32> = 5..=20;

/// The scans of large arrays, in the longest blocks: only these are longer than k². In the order of [`AccessPattern::ALL`].
pub(super) const LARGE: [&str; 4] = [
    "capannini:pattern=cm,block=2048",
    "capannini:pattern=no_padding,block=2048",
    "capannini:pattern=padding,block=2048",
    "capannini:pattern=left_right,block=2048",
];

/// The other baseline of figures 5 and 6.
pub(super) const COPY: &str = "copy:buffer";

/// Blocks in a stream of figure 5.
pub(super) const BLOCKS: u64 = 10_752;

/// Blocks in a stream here: fewer where there is no GPU. No power of two, and so no length of figure 6.
pub(super) fn blocks(bounds: &Bounds) -> u64 {
    match (bounds.software, bounds.quick) {
        (false, _) => BLOCKS,
        (true, true) => BLOCKS / 256,
        (true, false) => BLOCKS / 16,
    }
}

pub(super) fn block_sizes(bounds: &Bounds) -> Vec<u32> {
    match (bounds.software, bounds.quick) {
        (false, false) => (5..=LONGEST).collect(),
        (true, true) => vec![7, LONGEST],
        _ => vec![5, 7, 9, LONGEST],
    }
}

pub(super) fn of_blocks(bounds: &Bounds, log2: u32) -> Case {
    Case::scan(blocks(bounds) << log2).exclusive()
}

/// Blocks of numbers of 64 bits: two banks hold one of them, and half a warp is served at a time, so it is 16
/// numbers in 16 banks, the paper's machine.
pub(super) fn on_banks_in_print(bounds: &Bounds, log2: u32) -> Case {
    of_blocks(bounds, log2).of(ElementType::U64)
}

/// The sizes of blocks that are measured on the paper's banks.
pub(super) fn sizes_in_print(bounds: &Bounds) -> Vec<u32> {
    match (bounds.software, bounds.quick) {
        (true, _) => Vec::new(),
        (false, true) => vec![LONGEST],
        (false, false) => block_sizes(bounds),
    }
}

pub(super) fn independent(pattern: AccessPattern, log2: u32, banks: u64) -> Contender {
    Contender::IndependentBlocks(Capannini { pattern, block: Some(1 << log2), banks: banks as u32 })
}

pub(super) fn name_of(pattern: AccessPattern, log2: u32) -> String {
    independent(pattern, log2, BANKS).name()
}

/// Lengths of large arrays, as powers of two.
pub(super) fn large(bounds: &Bounds) -> Vec<u32> {
    match (bounds.software, bounds.quick) {
        (false, false) => vec![16, 18, 20, 22, 24],
        (false, true) => vec![16, 20, 24],
        (true, false) => vec![16, 18, 20],
        (true, true) => vec![16, 18],
    }
}

pub(super) fn of_large(log2: u32) -> Case {
    Case::scan(1 << log2).exclusive()
}

pub fn cells(bounds: &Bounds) -> Vec<Cell> {
    let mut cells = Vec::new();
    for log2 in block_sizes(bounds) {
        let mut cell = cell(of_blocks(bounds, log2), &[COPY]);
        cell.contenders.extend(AccessPattern::ALL.map(|pattern| independent(pattern, log2, BANKS)));
        cells.push(cell);
    }
    for log2 in sizes_in_print(bounds) {
        let mut cell = cell(on_banks_in_print(bounds, log2), &[]);
        cell.contenders.extend(AccessPattern::ALL.map(|pattern| independent(pattern, log2, BANKS_IN_PRINT)));
        cells.push(cell);
    }
    for log2 in large(bounds) {
        cells.push(cell(of_large(log2), &[&LARGE[..], &[COPY]].concat()));
    }
    cells
}
