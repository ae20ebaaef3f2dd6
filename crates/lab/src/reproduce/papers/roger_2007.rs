//! roger2007: blocks, concatenated by drawing lines.

mod counted;
mod figures;
mod parameters;
mod parts;
mod setup;
mod speed_ups;
mod turns;

use crate::report::page::Section;
use crate::reproduce::effort::Bounds;
use crate::reproduce::rows::PaperRows;
use crate::reproduce::statements::section_of;

pub use setup::cells;
use setup::*;

pub fn section(rows: &PaperRows<'_>, bounds: &Bounds) -> Section {
    let mut section =
        section_of(KEY, &[("PAPER", &PAPER), ("DEFAULT", &DEFAULT), ("GLOBAL_HYBRID", &GLOBAL_HYBRID)]);
    section.claims = speed_ups::claims(rows, bounds);
    section.claims.extend(parameters::claims(rows, bounds));
    section.claims.extend(parts::claims(rows));
    section.claims.extend(counted::CLAIMS.clone());
    section.claims.extend(turns::claims());
    section.tables = vec![table_1().table(), speed_ups::table(rows), speed_ups::cuda_table(rows)];
    section.tables.extend(turns::tables());
    section.figures = figures::figures(rows, bounds);
    section
}

#[cfg(test)]
mod tests;
