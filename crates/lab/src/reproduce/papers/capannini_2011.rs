//! capannini2011: the K-model, and access patterns on banks of shared memory.
//!
//! ```text
//! the model      T, W, l, G and space of each pattern, against a simulator that scans and counts     counted.rs
//! case (i)       blocks, each scanned alone by one work group                                          timed.rs
//! case (ii)      large arrays, in blocks of 2,048                                                      timed.rs
//! ```

mod counted;
mod errata;
mod figures;
mod timed;

use rasterscan::ElementType;
use rasterscan::scan::compute::{AccessPattern, Capannini};

use crate::case::Case;
use crate::cell::Cell;
use crate::contender::Contender;
use crate::report::page::Section;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::{cell, section as new_section};
use crate::reproduce::rows::Rows;
use rasterscan_picture::number::grouped;

const KEY: &str = "capannini2011";

/// Banks of shared memory of today's hardware, in words of 32 bits.
const BANKS: u64 = 32;
/// Banks of the paper's hardware. Numbers of 64 bits have as many on today's.
const BANKS_IN_PRINT: u64 = 16;

/// The longest block of the paper, and of the library, as a power of two. It is 8 k² on the paper's banks, 2 k² on ours.
const LONGEST: u32 = 11;

/// The scans of large arrays, in the longest blocks: only these are longer than k². In the order of [`AccessPattern::ALL`].
const LARGE: [&str; 4] = [
    "capannini:pattern=cm,block=2048",
    "capannini:pattern=no_padding,block=2048",
    "capannini:pattern=padding,block=2048",
    "capannini:pattern=left_right,block=2048",
];

/// The other baseline of figures 5 and 6.
const COPY: &str = "copy:buffer";

/// Blocks in a stream of figure 5.
const BLOCKS: u64 = 10_752;

/// Blocks in a stream here: fewer where there is no GPU. No power of two, and so no length of figure 6.
fn blocks(bounds: &Bounds) -> u64 {
    match (bounds.software, bounds.quick) {
        (false, _) => BLOCKS,
        (true, true) => BLOCKS / 256,
        (true, false) => BLOCKS / 16,
    }
}

fn block_sizes(bounds: &Bounds) -> Vec<u32> {
    match (bounds.software, bounds.quick) {
        (false, false) => (5..=LONGEST).collect(),
        (true, true) => vec![7, LONGEST],
        _ => vec![5, 7, 9, LONGEST],
    }
}

fn of_blocks(bounds: &Bounds, log2: u32) -> Case {
    Case::scan(blocks(bounds) << log2).exclusive()
}

/// Blocks of 2,048 numbers of 64 bits: two banks hold one of them, and half a warp is served at a time, so it is 16
/// numbers in 16 banks, the paper's machine.
fn on_banks_in_print(bounds: &Bounds) -> Case {
    of_blocks(bounds, LONGEST).of(ElementType::U64)
}

fn independent(pattern: AccessPattern, log2: u32, banks: u64) -> Contender {
    Contender::IndependentBlocks(Capannini { pattern, block: Some(1 << log2), banks: banks as u32 })
}

fn name_of(pattern: AccessPattern, log2: u32) -> String {
    independent(pattern, log2, BANKS).name()
}

/// Lengths of large arrays, as powers of two.
fn large(bounds: &Bounds) -> Vec<u32> {
    match (bounds.software, bounds.quick) {
        (false, false) => vec![16, 18, 20, 22, 24],
        (false, true) => vec![16, 20, 24],
        (true, false) => vec![16, 18, 20],
        (true, true) => vec![16, 18],
    }
}

fn of_large(log2: u32) -> Case {
    Case::scan(1 << log2).exclusive()
}

pub fn cells(bounds: &Bounds) -> Vec<Cell> {
    let mut cells = Vec::new();
    for log2 in block_sizes(bounds) {
        let mut cell = cell(of_blocks(bounds, log2), &[COPY]);
        cell.contenders.extend(AccessPattern::ALL.map(|pattern| independent(pattern, log2, BANKS)));
        cells.push(cell);
    }
    if !bounds.software {
        let trees = [AccessPattern::NoPadding, AccessPattern::Padding, AccessPattern::LeftRight];
        let mut cell = cell(on_banks_in_print(bounds), &[]);
        cell.contenders.extend(trees.map(|pattern| independent(pattern, LONGEST, BANKS_IN_PRINT)));
        cells.push(cell);
    }
    for log2 in large(bounds) {
        let mut names = LARGE.to_vec();
        names.push(COPY);
        cells.push(cell(of_large(log2), &names));
    }
    cells
}

pub fn section(rows: &Rows<'_>, bounds: &Bounds) -> Section {
    let mut section = new_section(
        KEY,
        "Access patterns without conflicts",
        "G. Capannini: Designing Efficient Parallel Prefix Sum Algorithms for GPUs. IEEE International \
         Conference on Computer and Information Technology, 2011.",
    );
    section.notes = notes(bounds);
    section.claims = counted::CLAIMS.clone();
    section.claims.extend(timed::claims(rows, bounds));
    section.figures = figures::figures(rows, bounds);
    section.tables = figures::tables(rows, bounds);
    section.errata = errata::errata();
    section
}

fn notes(bounds: &Bounds) -> Vec<String> {
    vec![
        "The K-model is checked on the CPU. A simulator executes each scan on k banks and counts; only scans \
         with the right result are counted."
            .into(),
        format!(
            "The experiments are exclusive scans of u32: {} blocks, each scanned alone by one work group, \
             and large arrays in blocks of 2,048. The paper's GPU, a GeForce GTX 275, had {BANKS_IN_PRINT} \
             banks of 32 bits; today's have {BANKS}. One cell is on numbers of 64 bits, of which {BANKS} \
             banks hold {BANKS_IN_PRINT} in a row, for half a warp at a time.",
            grouped(blocks(bounds))
        ),
        format!(
            "The model expects a gain over Padding beyond k² elements alone. On {BANKS} banks that would \
             best be tested on blocks of 8 k², 8,192 elements; the longest blocks here have 2,048, as in the \
             paper."
        ),
        "The paper contradicts itself below k² elements. By its formulas, Padding would be far ahead of \
         LeftRight there, with a T of 1.5 against 5 for 32 elements on 16 banks, and CM ahead of NoPadding, \
         8.06 against 9. The text calls Padding comparable and CM the slowest. What is counted agrees with \
         the text on Padding; CM takes as long as NoPadding at 2k elements."
            .into(),
        "Words without a number count as follows: comparable is within 10% on both sides, slower and faster \
         are 5% or more."
            .into(),
    ]
}
