//! The scans that were simulated and found right, with their counts, and points of what was counted.

use std::sync::LazyLock;

use rasterscan::{ScanKind, ScanSpec, scan};
use rasterscan_kmodel::{Counts, Model, Pattern, Step, corrected, simulate};

use crate::reproduce::judge::Point;
use crate::reproduce::rows::Lookup;
use crate::reproduce::statements::Statement;
use crate::reproduce::unit;

/// Banks, and elements, as powers of two: from as many elements as banks on.
const MOST_BANKS: u32 = 7;
pub const MOST_ELEMENTS: u32 = 14;

/// A scan whose result is right.
#[derive(Debug, Clone, Copy)]
pub struct Checked {
    pub pattern: Pattern,
    pub model: Model,
    /// The paper's counts: stores of results, up the tree.
    pub counts: Counts,
    /// T of all loads and stores, both ways.
    pub whole: u64,
    /// What conflicts cost, of all loads and stores.
    pub conflicts: u64,
    /// True if each level is loaded with the same conflicts on the way up and down.
    pub is_alike: bool,
}

/// The scan in a pattern; `None` if its result is wrong.
pub fn checked(pattern: Pattern, model: Model) -> Option<Checked> {
    let numbers: Vec<u32> = (0..model.n() as u32).map(|i| i.wrapping_mul(0x9E37_79B9) >> 8).collect();
    let simulation = simulate(pattern, model, &numbers, 0, |left, right| left.wrapping_add(right));
    let spec = ScanSpec::new::<u32>(numbers.len());
    let spec = if pattern.kind() == ScanKind::Exclusive { spec.exclusive() } else { spec };
    if scan::sequential(&spec, &numbers).ok()? != simulation.scanned {
        return None;
    }
    let conflicts = |step: &Step| {
        [&step.loads, &step.results, &step.kept]
            .map(|tally| tally.latency - tally.instructions)
            .iter()
            .sum::<u64>()
    };
    let levels = || simulation.steps.iter().zip(simulation.down.iter().rev());
    Some(Checked {
        pattern,
        model,
        counts: simulation.counts(),
        whole: simulation.whole(),
        conflicts: simulation.steps.iter().chain(&simulation.down).map(conflicts).sum(),
        is_alike: levels().all(|(up, down)| up.loads == down.loads),
    })
}

/// The models: k from 1 to 128 banks, and from k to 2^14 elements.
pub fn models() -> impl Iterator<Item = Model> {
    let of = |q: u32| (q..=MOST_ELEMENTS).filter_map(move |p| Model::new(1 << p, 1 << q).ok());
    (0..=MOST_BANKS).flat_map(of)
}

/// Each model in each of the paper's patterns, unless its scan is wrong.
pub static CHECKED: LazyLock<Vec<Checked>> = LazyLock::new(|| {
    models().flat_map(|model| Pattern::PAPER.map(|pattern| checked(pattern, model))).flatten().collect()
});

/// Padding's T over LeftRight's, of the stores that the paper counts.
pub fn expected_gain(model: Model) -> f64 {
    corrected::latency(Pattern::Padding, model) as f64 / corrected::latency(Pattern::LeftRight, model) as f64
}

/// The same of all loads and stores: the three of a sum up the tree and the four of its children down have the conflicts of
/// the sum's store, and LeftRight has one store more for each instruction up.
pub fn whole_gain(model: Model) -> f64 {
    let t = |pattern| corrected::latency(pattern, model) as f64;
    let kept = corrected::instructions(Pattern::LeftRight, model) as f64;
    7.0 * t(Pattern::Padding) / (7.0 * t(Pattern::LeftRight) + kept)
}

/// The cases in which something holds. It must hold in all of them; in fewer than half, the opposite is true.
pub fn cases(claim: &Statement, index: usize, pattern: &str, (right, all): (usize, usize)) -> Point {
    let (ours, all) = (right as f64, all as f64);
    let [half, less, more] = [all / 2.0, all * (1.0 - 1e-9), all * (1.0 + 1e-9)];
    let ranges = format!("opposite {half} weaker {less} reproduced {more} opposite");
    let fills = [("pattern", &pattern as _), ("all", &unit::whole(all) as _), ("ranges", &ranges as _)];
    claim.point(index, &fills, Lookup::exactly(ours))
}

/// A count; without one, no verdict.
pub fn counted(ours: Option<u64>) -> Lookup {
    ratio(ours.map(|number| number as f64))
}

/// A ratio that was counted; without one, no verdict.
pub fn ratio(ours: Option<f64>) -> Lookup {
    Lookup::counted(ours, "the scan was wrong")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scan_is_right() {
        assert_eq!((models().count(), CHECKED.len()), (92, 4 * 92));
    }

    #[test]
    fn gains_of_all_accesses_are_those_of_the_simulator() {
        let own = |pattern: Pattern| CHECKED.iter().filter(move |scan| scan.pattern == pattern);
        for (padding, left_right) in own(Pattern::Padding).zip(own(Pattern::LeftRight)) {
            if left_right.whole > 0 {
                assert_eq!(whole_gain(padding.model), padding.whole as f64 / left_right.whole as f64);
            }
        }
    }

    #[test]
    fn gains_by_hand() {
        let model = |n, k| Model::new(n, k).unwrap();
        let whole = |pattern, k| checked(pattern, model(2048, k)).unwrap().whole;
        assert_eq!([Pattern::Padding, Pattern::LeftRight].map(|pattern| whole(pattern, 32)), [511, 544]);
        assert_eq!(
            [Pattern::Padding, Pattern::LeftRight].map(|pattern| whole(pattern, 16)),
            [7 * 159, 8 * 131]
        );
        assert_eq!([16, 32].map(|k| whole_gain(model(2048, k))), [1113.0 / 1048.0, 511.0 / 544.0]);
        assert_eq!(expected_gain(model(2048, 16)), 159.0 / 131.0);
        assert_eq!(expected_gain(model(2048, 32)), 73.0 / 68.0);
        // 1 + log k / k in the limit.
        assert!((expected_gain(model(1 << 30, 16)) - 1.25).abs() < 1e-6);
        assert!((expected_gain(model(1 << 30, 32)) - 1.15625).abs() < 1e-6);
    }
}
