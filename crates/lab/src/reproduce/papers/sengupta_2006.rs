//! sengupta2006: the hybrid, alone and as a part of a compaction.

mod claims;
mod counted;
mod figures;
mod setup;

use crate::report::page::Section;
use crate::reproduce::effort::Bounds;
use crate::reproduce::rows::PaperRows;
use crate::reproduce::statements::section_of;

pub use setup::cells;
use setup::{HORN, KEY, LEVEL, SHARE, compaction};

pub fn section(rows: &PaperRows<'_>, bounds: &Bounds) -> Section {
    let (kept, hybrid) = (SHARE * 100.0, compaction(LEVEL));
    let mut section =
        section_of(KEY, &[("kept", &kept), ("HORN", &HORN), ("hybrid", &hybrid), ("LEVEL", &LEVEL)]);
    section.claims = counted::CLAIMS.to_vec();
    section.claims.extend(claims::claims(rows, bounds));
    section.tables = vec![figures::speeds(rows), counted::OPERATIONS.clone()];
    section.figures = figures::figures(rows, bounds);
    section
}

#[cfg(test)]
mod tests;
