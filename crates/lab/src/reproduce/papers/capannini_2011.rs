//! capannini2011: the K-model, and access patterns on banks of shared memory.
//!
//! ```text
//! the model      T, W, l, G and space of each pattern, against a simulator that scans and counts     counted.rs
//! all it leaves out: accesses, barriers and trips, and how they rank the patterns                      ranks.rs
//! case (i)       blocks, each scanned alone by one work group                                          timed.rs
//! case (ii)      large arrays, in blocks of 2,048                                                      timed.rs
//! ```

mod counted;
mod figures;
mod ranks;
mod setup;
mod timed;

use crate::report::page::Section;
use crate::reproduce::effort::Bounds;
use crate::reproduce::rows::PaperRows;
use crate::reproduce::statements::section_of;
use rasterscan_drawing::number::grouped;

pub use setup::cells;
use setup::*;

pub fn section(rows: &PaperRows<'_>, bounds: &Bounds) -> Section {
    let blocks = grouped(blocks(bounds));
    let mut section =
        section_of(KEY, &[("blocks", &blocks), ("BANKS", &BANKS), ("BANKS_IN_PRINT", &BANKS_IN_PRINT)]);
    section.claims = counted::CLAIMS.clone();
    section.claims.extend(timed::claims(rows, bounds));
    section.figures = figures::figures(rows, bounds);
    section.tables = figures::tables(rows, bounds);
    section
}
