//! sengupta2006: the hybrid, alone and as a part of a compaction.

mod claims;
mod counted;
mod figures;
mod print;
mod setup;

use crate::report::page::Section;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::section as new_section;
use crate::reproduce::rows::Rows;

pub use setup::cells;

pub fn section(rows: &Rows<'_>, bounds: &Bounds) -> Section {
    let mut section = new_section(
        "sengupta2006",
        "A work-efficient, step-efficient scan",
        "S. Sengupta, A. E. Lefohn, J. D. Owens: A Work-Efficient Step-Efficient Prefix-Sum Algorithm. \
         Workshop on Edge Computing Using New Commodity Architectures, 2006.",
    );
    section.notes = print::notes();
    section.claims = counted::claims();
    section.claims.extend(claims::claims(rows, bounds));
    section.tables = vec![figures::speeds(rows), counted::operations()];
    section.figures = figures::figures(rows, bounds);
    section.errata = print::errata();
    section
}

#[cfg(test)]
mod tests;
