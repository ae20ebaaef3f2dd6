//! Claims that are counted: the K-model's formulas against a simulator that executes each scan.

mod checked;
mod formulas;
mod patterns;

use std::sync::LazyLock;

pub use checked::{expected_gain, whole_gain};
pub use formulas::{figure_4, table as formula_table};

use crate::measure::Estimate;
use crate::report::page::{Claim, Verdict};
use crate::reproduce::judge::{Point, Rule, whole};
use crate::reproduce::rows::Found;

/// All claims, counted once: a report is made after every cell.
pub static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
    vec![
        patterns::sweeps(),
        patterns::loads(),
        patterns::in_place(),
        formulas::lengths(),
        formulas::latencies_in_print(),
        formulas::latencies(),
        patterns::free_of_conflicts(),
        patterns::slowest(),
        patterns::comparable(),
        formulas::space(),
        patterns::gain(),
        patterns::all_accesses(),
    ]
});

/// The cases in which something holds. It must hold in all of them; in fewer than half, the opposite is true.
fn cases(what: String, right: usize, all: usize) -> Point {
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
fn exact(what: String, paper: u64, ours: Option<u64>) -> Point {
    let ours = ours.map(|number| Found::Number(Estimate::exactly(number as f64)));
    let ours = ours.unwrap_or_else(|| Found::NotMeasured("the scan was wrong".into()));
    Point::new(what, Some(paper as f64), Rule::exactly(paper as f64), ours, whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_is_counted() {
        let verdicts: Vec<Verdict> = CLAIMS.iter().map(|claim| claim.verdict).collect();
        use Verdict::{Opposite, Reproduced, Weaker};
        let expected = [
            Reproduced, // one sweep stands for both
            Opposite,   // the loads of algorithm 3
            Opposite,   // in place
            Reproduced, // W, l, efficiency, G
            Opposite,   // T in print
            Reproduced, // T corrected
            Reproduced, // conflicts
            Weaker,     // CM
            Reproduced, // up to k²
            Reproduced, // space
            Reproduced, // 25%
            Opposite,   // all accesses
        ];
        assert_eq!(verdicts, expected, "{:#?}", *CLAIMS);
        assert!(CLAIMS.iter().flat_map(|claim| &claim.points).all(|point| point.interval == "exact"));
    }
}
