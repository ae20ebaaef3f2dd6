//! maleki2016: SAM, against the scans of its time.

mod counted;
mod figures;
mod generality;
mod setup;
mod shapes;
mod sums;
mod tables;
#[cfg(test)]
mod tests;

use crate::report::page::Section;
use crate::reproduce::effort::Bounds;
use crate::reproduce::rows::PaperRows;
use crate::reproduce::statements::section_of;

pub use setup::cells;
use setup::*;

pub fn section(rows: &PaperRows<'_>, bounds: &Bounds) -> Section {
    let mut section = section_of(KEY, &[]);
    section.claims = counted::claims(rows);
    section.claims.extend(sums::bits(rows, bounds));
    section.claims.extend(sums::claims(rows));
    section.claims.extend(shapes::claims(rows));
    section.claims.extend(generality::claims(rows));
    section.claims.extend(sums::of_libraries(rows));
    section.claims.extend(shapes::of_libraries(rows));
    section.tables = tables::tables(rows, bounds);
    section.figures = figures::figures(rows, bounds);
    section
}
