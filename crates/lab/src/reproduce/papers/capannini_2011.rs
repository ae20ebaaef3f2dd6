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
mod setup;
mod timed;

use crate::report::page::Section;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::section as new_section;
use crate::reproduce::rows::Rows;
use rasterscan_drawing::number::grouped;

pub use setup::cells;
use setup::*;

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
         LeftRight there, with a T of 4 against 7 for 64 elements on 16 banks, and at 2·k elements CM ahead of \
         NoPadding. The text calls Padding comparable and CM the slowest. What is counted agrees with \
         the text on Padding; CM takes as long as NoPadding at 2·k elements."
            .into(),
        "Words without a number count as follows: comparable is within 10% on both sides, slower and faster \
         are any difference beyond the interval."
            .into(),
    ]
}
