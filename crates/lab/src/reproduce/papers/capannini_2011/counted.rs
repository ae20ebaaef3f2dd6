//! Claims that are counted: the K-model's formulas against a simulator that executes each scan.

mod checked;
mod formulas;
mod patterns;

use std::sync::LazyLock;

pub use checked::{expected_gain, whole_gain};
pub use formulas::{figure_4, table as formula_table};

use crate::report::page::Claim;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::page::Verdict;

    #[test]
    fn every_claim_is_counted() {
        let verdicts: Vec<Verdict> = CLAIMS.iter().map(|claim| claim.verdict).collect();
        use Verdict::{Mixed, Opposite, Reproduced};
        let expected = [
            Reproduced, // one sweep stands for both
            Opposite,   // the loads of algorithm 3
            Opposite,   // in place
            Reproduced, // W, l, efficiency, G
            Mixed,      // T in print
            Reproduced, // T corrected
            Reproduced, // conflicts
            Mixed,      // CM
            Reproduced, // up to k²
            Reproduced, // space
            Reproduced, // 25%
            Mixed,      // all accesses
        ];
        assert_eq!(verdicts, expected, "{:#?}", *CLAIMS);
        assert!(CLAIMS.iter().flat_map(|claim| &claim.points).all(|point| point.interval == "exact"));
    }
}
