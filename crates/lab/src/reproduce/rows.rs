//! The rows that were measured for a paper.

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::cell::{LeftOut, Row};

/// A cell that was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptRows {
    pub id: String,
    pub key: String,
    pub rows: Vec<Row>,
    pub left_out: Vec<LeftOut>,
}

/// What was measured for a paper.
pub struct Rows<'a> {
    cells: Vec<&'a KeptRows>,
}

impl<'a> Rows<'a> {
    pub fn new(cells: impl Iterator<Item = &'a KeptRows>) -> Rows<'a> {
        Rows { cells: cells.collect() }
    }

    pub fn all(&self) -> impl Iterator<Item = &'a Row> + '_ {
        self.cells.iter().flat_map(|cell| &cell.rows)
    }

    pub fn row(&self, name: &str, case: &Case) -> Option<&'a Row> {
        self.all().find(|row| row.name == name && row.case == *case)
    }

    /// Milliseconds, where it was measured.
    pub fn ms(&self, name: &str, case: &Case) -> Option<f64> {
        self.row(name, case).map(|row| row.ms)
    }

    /// How many times as fast `fast` is as `slow`, in one cell.
    pub fn factor(&self, slow: &str, fast: &str, case: &Case) -> Option<f64> {
        self.cells.iter().find_map(|cell| {
            let ms = |name: &str| {
                cell.rows.iter().find(|row| row.name == name && row.case == *case).map(|row| row.ms)
            };
            Some(ms(slow)? / ms(fast)?).filter(|factor| factor.is_finite())
        })
    }

    /// In copies of the stream by a full-screen pass.
    pub fn copies(&self, name: &str, case: &Case) -> Option<f64> {
        self.factor(name, "copy:texture", case)
    }

    /// Why there is no row; `None` where there is one, or where nobody has asked for one.
    pub fn absent(&self, name: &str, case: &Case) -> Option<&'a LeftOut> {
        let left_out = self.cells.iter().flat_map(|cell| &cell.left_out);
        left_out.into_iter().find(|left_out| left_out.name == name && left_out.case == *case)
    }
}
