//! The papers, one file each, and the cells to measure: those of all papers, within the bounds of an effort.

mod capannini_2011;
mod harris_2007;
mod maleki_2016;
mod roger_2007;
mod sengupta_2006;

use std::fmt;

use super::effort::{Bounds, Effort};
use super::paper::Paper;
use crate::cell::Cell;
use crate::contender::Contender;

/// All papers, in the order in which they appeared.
pub const PAPERS: [Paper; 5] = [
    Paper { key: "sengupta2006", cells: sengupta_2006::cells, section: sengupta_2006::section },
    Paper { key: "roger2007", cells: roger_2007::cells, section: roger_2007::section },
    Paper { key: "harris2007", cells: harris_2007::cells, section: harris_2007::section },
    Paper { key: "capannini2011", cells: capannini_2011::cells, section: capannini_2011::section },
    Paper { key: "maleki2016", cells: maleki_2016::cells, section: maleki_2016::section },
];

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

/// The cells of these papers, in the order in which they are measured: first those whose results are compared bit by bit, which
/// no lack of time shall decide, then shorter streams first in each. With `peers`, the libraries that a paper names come last, in
/// cells of their own: they run in turns with nothing of ours, and take seconds to start.
pub fn plan(keys: &[&str], effort: Effort, software: bool, peers: bool) -> Vec<Planned> {
    let bounds = Bounds::new(effort, software);
    let (mut plan, mut last) = (Vec::new(), Vec::new());
    for paper in PAPERS.iter().filter(|paper| keys.contains(&paper.key)) {
        let mut cells = (paper.cells)(&bounds);
        cells.sort_by_key(|cell| cell.case.n());
        for (number, mut cell) in cells.into_iter().enumerate() {
            let (others, own): (Vec<Contender>, _) =
                cell.contenders.into_iter().partition(|contender| contender.peer().is_some());
            cell.contenders = own;
            let id = |of: &str| format!("{} {number}{of}: {}", paper.key, cell.case);
            if peers && !others.is_empty() {
                let cell = Cell { contenders: others, ..cell.clone() };
                last.push(Planned { id: id(", peers"), key: paper.key, cell });
            }
            plan.push(Planned { id: id(""), key: paper.key, cell });
        }
    }
    plan.sort_by_key(|planned| planned.cell.repeats == 0);
    plan.append(&mut last);
    plan
}
