//! The cells to measure: those of all papers, within the bounds of an effort.

use std::fmt;

use super::effort::{Bounds, Effort};
use super::papers::PAPERS;
use crate::cell::Cell;

/// A cell and its paper.
#[derive(Debug, Clone)]
pub struct Planned {
    /// The same in every run, so that a continued run finds what was measured.
    pub id: String,
    /// The key of the paper.
    pub key: &'static str,
    /// The cell to measure.
    pub cell: Cell,
}

impl Planned {
    /// Its share of the time: the time of a run grows with the length; the time for everything else does not.
    pub fn weight(&self) -> u64 {
        let contenders = self.cell.contenders.len() as u64;
        contenders * (16 + (self.cell.case.n() >> 17))
    }
}

impl fmt::Display for Planned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.cell.case)
    }
}

/// The cells of these papers, in the order in which they are measured: shorter streams first in each.
pub fn plan(keys: &[&str], effort: Effort, software: bool) -> Vec<Planned> {
    let bounds = Bounds::new(effort, software);
    let mut plan: Vec<Planned> = Vec::new();
    for paper in PAPERS.iter().filter(|paper| keys.contains(&paper.key)) {
        let mut cells = (paper.cells)(&bounds);
        cells.sort_by_key(|cell| cell.case.n());
        for (number, cell) in cells.into_iter().enumerate() {
            plan.push(Planned { id: format!("{} {number}: {}", paper.key, cell.case), key: paper.key, cell });
        }
    }
    plan
}
