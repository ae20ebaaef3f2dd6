//! Points of what was counted.

use crate::measure::Estimate;
use crate::report::page::Verdict;
use crate::reproduce::judge::{Point, Rule, whole};
use crate::reproduce::rows::Found;

/// The cases in which something holds. It must hold in all of them; in fewer than half, the opposite is true.
pub fn cases(what: String, right: usize, all: usize) -> Point {
    let (ours, all) = (right as f64, all as f64);
    let rule = Rule::of(
        &[
            (all / 2.0, Verdict::Opposite),
            (all * (1.0 - 1e-9), Verdict::Weaker),
            (all * (1.0 + 1e-9), Verdict::Reproduced),
        ],
        Verdict::Opposite,
    );
    let paper = format!("all {}", whole(all));
    Point::new(what, None, rule, Found::Number(Estimate::exactly(ours)), whole).says(paper)
}

/// A number that must be the paper's; if it was not counted, no verdict.
pub fn exact(what: String, paper: u64, ours: Option<u64>) -> Point {
    let ours = ours.map(|number| Found::Number(Estimate::exactly(number as f64)));
    let ours = ours.unwrap_or_else(|| Found::NotMeasured("the scan was wrong".into()));
    Point::new(what, Some(paper as f64), Rule::exactly(paper as f64), ours, whole)
}
