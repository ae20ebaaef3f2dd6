//! roger2007: blocks, concatenated by drawing lines.

mod counted;
mod figures;
mod parameters;
mod parts;
mod print;
mod setup;
mod speed_ups;

use crate::report::page::Section;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::section as new_section;
use crate::reproduce::rows::Rows;

pub use setup::cells;
use setup::*;

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
