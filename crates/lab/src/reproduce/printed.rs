//! The papers' own tables, as they are printed.
//!
//! A file `KEY.tsv` in `crates/lab/papers/` has the tables of a paper, in columns that tabs separate:
//!
//! ```text
//! # Table I | section VI | Speed-up of block compaction     the name, the place, the title
//! #elements  Horn  Blelloch                                the titles of the columns
//! 256k       5.5   3.9                                     a row as printed; - is an empty cell
//! ```

use std::sync::LazyLock;

use crate::report::page::Table;

/// A table of a paper.
#[derive(Debug, Clone, PartialEq)]
pub struct Printed {
    /// The name: `Table A.5`.
    pub name: &'static str,
    /// The place: a page, or a section where the pages have no numbers.
    pub place: &'static str,
    /// The title.
    pub title: &'static str,
    /// The titles of the columns; the first is that of the rows' names.
    pub columns: Vec<&'static str>,
    /// The rows, as printed.
    pub rows: Vec<Vec<&'static str>>,
}

/// The tables of all papers, by key.
pub static PRINTED: LazyLock<[(&str, Vec<Printed>); 3]> = LazyLock::new(|| {
    [
        ("roger2007", parse(include_str!("../../papers/roger2007.tsv"))),
        ("harris2007", parse(include_str!("../../papers/harris2007.tsv"))),
        ("maleki2016", parse(include_str!("../../papers/maleki2016.tsv"))),
    ]
});

/// A table, by the key of its paper and its name.
///
/// Panics: there is none. The names are those of the files, which a test reads.
pub fn printed(key: &str, name: &str) -> &'static Printed {
    let tables = PRINTED.iter().filter(|(paper, _)| *paper == key).flat_map(|(_, tables)| tables);
    let mut found = tables.filter(|table| table.name == name);
    found.next().unwrap_or_else(|| unreachable!("{key} has no {name}"))
}

/// The tables of a file of this form.
pub fn parse(text: &'static str) -> Vec<Printed> {
    let mut tables: Vec<Printed> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(heading) = line.strip_prefix("# ") {
            let mut parts = heading.splitn(3, " | ");
            let mut part = || parts.next().unwrap_or_default();
            let (name, place, title) = (part(), part(), part());
            tables.push(Printed { name, place, title, columns: Vec::new(), rows: Vec::new() });
        } else if let Some(table) = tables.last_mut() {
            let cells: Vec<&str> = line.split('\t').collect();
            if table.columns.is_empty() {
                table.columns = cells;
            } else {
                table.rows.push(cells);
            }
        }
    }
    tables
}

impl Printed {
    /// The number in a row and a column, digit by digit.
    pub fn cell(&self, row: &str, column: &str) -> Option<&'static str> {
        let column = self.columns.iter().position(|title| *title == column)?;
        self.rows.iter().find(|cells| cells[0] == row)?.get(column).copied()
    }

    /// The number in a row and a column; `None` if it is not printed.
    pub fn value(&self, row: &str, column: &str) -> Option<f64> {
        number(self.cell(row, column)?)
    }

    /// The number of a column at so many elements.
    pub fn at(&self, n: u64, column: &str) -> Option<f64> {
        let row = self.rows.iter().find(|cells| number(cells[0]) == Some(n as f64))?;
        self.value(row[0], column)
    }

    /// The printed numbers of a column, by the elements of their rows.
    pub fn column(&self, column: &str) -> Vec<(f64, f64)> {
        self.rows
            .iter()
            .filter_map(|cells| Some((number(cells[0])?, self.value(cells[0], column)?)))
            .collect()
    }

    /// The table for the page, digit by digit.
    pub fn table(&self) -> Table {
        self.titled(format!("{} of the paper ({}): {}", self.name, self.place, self.title))
    }

    /// The table for the page, of what was counted here.
    pub fn as_counted(&self) -> Table {
        self.titled(format!("{}, counted by {}: {}", self.name, self.place, self.title))
    }

    fn titled(&self, title: String) -> Table {
        let rows = self.rows.iter().map(|cells| cells.iter().map(|cell| (*cell).to_owned()).collect());
        Table::new(title, self.columns.iter().copied(), rows)
    }
}

/// A number as printed: 0.35, 2^10, 10^3, 256k or 4M, of which the last two are of powers of two.
fn number(text: &str) -> Option<f64> {
    if let Some((base, exponent)) = text.split_once('^') {
        return Some(base.parse::<f64>().ok()?.powi(exponent.parse().ok()?));
    }
    let unit = [('k', 1024.0), ('M', 1024.0 * 1024.0)].into_iter().find(|(unit, _)| text.ends_with(*unit));
    match unit {
        Some((unit, size)) => Some(size * text.trim_end_matches(unit).parse::<f64>().ok()?),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_a_rectangle_of_numbers() {
        for (key, tables) in PRINTED.iter() {
            assert!(!tables.is_empty());
            for table in tables {
                assert!(
                    !table.name.is_empty() && !table.place.is_empty() && !table.title.is_empty(),
                    "{table:?}"
                );
                assert!(table.rows.len() > 2 && table.columns.len() > 1, "{key}: {}", table.name);
                for row in &table.rows {
                    assert_eq!(row.len(), table.columns.len(), "{key}, {}: {row:?}", table.name);
                    let known = |cell: &&&str| ["-", "N.A."].contains(cell) || number(cell).is_some();
                    assert!(row[1..].iter().all(|cell| known(&cell)), "{key}, {}: {row:?}", table.name);
                }
            }
        }
    }
}
