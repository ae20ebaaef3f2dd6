//! The rows that were measured for a paper.

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::cell::{LeftOut, Row};

/// A cell that was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptRows {
    /// The id of the cell in the plan.
    pub id: String,
    /// The key of the paper.
    pub key: String,
    /// One row for each contender that was timed.
    pub rows: Vec<Row>,
    /// The contenders that were not timed.
    pub left_out: Vec<LeftOut>,
}

/// All rows of a paper.
pub struct Rows<'a> {
    cells: Vec<&'a KeptRows>,
}

impl<'a> Rows<'a> {
    /// The rows of these cells.
    pub fn new(cells: impl Iterator<Item = &'a KeptRows>) -> Rows<'a> {
        Rows { cells: cells.collect() }
    }

    /// All rows, cell by cell.
    pub fn all(&self) -> impl Iterator<Item = &'a Row> + '_ {
        self.cells.iter().flat_map(|cell| &cell.rows)
    }

    /// The row of a contender on a case, by its name.
    pub fn row(&self, name: &str, case: &Case) -> Option<&'a Row> {
        self.all().find(|row| row.name == name && row.case == *case)
    }

    /// Milliseconds, if it was measured.
    pub fn ms(&self, name: &str, case: &Case) -> Option<f64> {
        self.row(name, case).map(|row| row.ms)
    }

    /// The speed of `fast` relative to `slow`, in one cell.
    pub fn factor(&self, slow: &str, fast: &str, case: &Case) -> Option<f64> {
        self.cells.iter().find_map(|cell| {
            let ms = |name: &str| {
                cell.rows.iter().find(|row| row.name == name && row.case == *case).map(|row| row.ms)
            };
            Some(ms(slow)? / ms(fast)?).filter(|factor| factor.is_finite())
        })
    }

    /// The time in copies of the stream by a full-screen pass.
    pub fn copies(&self, name: &str, case: &Case) -> Option<f64> {
        self.factor(name, "copy:texture", case)
    }

    /// The reason why there is no row; `None` if there is one, or none was asked for.
    pub fn absent(&self, name: &str, case: &Case) -> Option<&'a LeftOut> {
        let left_out = self.cells.iter().flat_map(|cell| &cell.left_out);
        left_out.into_iter().find(|left_out| left_out.name == name && left_out.case == *case)
    }
}
