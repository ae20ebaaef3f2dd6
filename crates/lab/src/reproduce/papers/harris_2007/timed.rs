//! Claims that are timed: Table 2, and the four kernels.

use super::setup::{
    BETWEEN, BLOCK, CPU, GPU, KEY, LAUNCHED, NAIVE, PADDED, WORK_EFFICIENT, block_and_large, case, large,
    table,
};
use crate::report::page::Claim;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::at;
use crate::reproduce::rows::PaperRows;
use crate::reproduce::statements::statement;

/// The claims on parts of Table 2, and the lengths of each.
const PARTS: [(&str, [u64; 2]); 3] =
    [("slower", [1 << 10, 1 << 15]), ("faster", [1 << 16, 1 << 23]), ("longest", [1 << 24; 2])];

/// The GPU's contender, and the words on its clock.
const CLOCKS: [(&str, &str); 2] = [(LAUNCHED, "with launches"), (GPU, "by the GPU's own clock")];

const SAME_DEVICE: &str = "a software renderer runs on the CPU, so this would compare a CPU with a CPU";
const NO_BANKS: &str = "a software renderer has no banks of shared memory";

pub fn claims(rows: &PaperRows<'_>, bounds: &Bounds) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (contender, clock) in CLOCKS {
        for (name, lengths) in PARTS {
            let own = table("Speedup").into_iter().filter(|(n, _)| (lengths[0]..=lengths[1]).contains(n));
            claims.push(statement(KEY, name).beside_each(&[("clock", &clock)], own, |n| {
                rows.speed([CPU, contender], &case(n)).on_hardware(bounds.software, SAME_DEVICE)
            }));
        }
    }
    claims.insert(1, break_even(rows, bounds));
    claims.extend([
        efficient(rows, bounds),
        conflicts(rows, bounds, "in a block of 512 elements", &[BLOCK]),
        conflicts(rows, bounds, "in scans of large arrays", &large(bounds)),
        best(rows, bounds),
    ]);
    claims
}

/// The length from which on the GPU is faster, on lines between lengths, both axes logarithmic. Where it is always the
/// faster one, the first length.
fn crossing(factors: &[(u64, f64)]) -> Option<f64> {
    let Some(slower) = factors.iter().rposition(|(_, factor)| *factor < 1.0) else {
        return factors.first().map(|(n, _)| *n as f64);
    };
    let (n, factor) = factors[slower];
    let Some((next, faster)) = factors.get(slower + 1) else { return Some(f64::INFINITY) };
    let share = -factor.ln() / (faster.ln() - factor.ln());
    Some(n as f64 * (*next as f64 / n as f64).powf(share))
}

/// The number of the claim. The printed factors cross 1 a little below.
const NEAR: f64 = 65_536.0;

fn break_even(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let printed = table("Speedup");
    let paper = crossing(&printed).unwrap_or(NEAR);
    let mut lengths: Vec<u64> = printed.iter().map(|(n, _)| *n).collect();
    lengths.extend(BETWEEN.map(|power| 1 << power));
    lengths.sort_unstable();
    let found = rows.estimate(|rows| {
        let factors: Option<Vec<(u64, f64)>> =
            lengths.iter().map(|n| Some((*n, rows.factor(CPU, LAUNCHED, &case(*n))?))).collect();
        crossing(&factors?)
    });
    statement(KEY, "break_even")
        .judge(&[("paper", &paper)], [found.on_hardware(bounds.software, SAME_DEVICE)])
}

fn efficient(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    statement(KEY, "efficient").at_each(&[], large(bounds), |n| rows.speed([NAIVE, GPU], &case(n)))
}

/// What conflicts cost: the same tree with and without them.
fn conflicts(rows: &PaperRows<'_>, bounds: &Bounds, place: &str, lengths: &[u64]) -> Claim {
    let claim = statement(KEY, "conflicts");
    let mut points = Vec::new();
    for n in lengths {
        for (index, name) in [PADDED, GPU].into_iter().enumerate() {
            let found = rows.speed([WORK_EFFICIENT, name], &case(*n)).on_hardware(bounds.software, NO_BANKS);
            points.push(claim.point(index, &[("at", &at(*n))], found));
        }
    }
    claim.with_points(&[("place", &place)], points)
}

/// The last of the four kernels is the best.
fn best(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    statement(KEY, "best").at_each(&[], block_and_large(bounds), |n| {
        let found = rows.estimate(|rows| {
            let fastest = rows.least(&[PADDED, NAIVE, WORK_EFFICIENT], &case(n))?;
            Some(rows.ms(GPU, &case(n))? / fastest)
        });
        found.on_hardware(bounds.software, NO_BANKS)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::page::Verdict;
    use crate::reproduce::effort::Effort;
    use crate::reproduce::samples::section;

    #[test]
    fn all_is_measured_on_hardware() {
        for effort in [Effort::Quick, Effort::Full] {
            let section = section(KEY, effort, false);
            assert_eq!(section.claims.len(), 8 + 11);
            for point in section.claims.iter().flat_map(|claim| &claim.points) {
                let missing = matches!(point.verdict, Verdict::NotMeasured | Verdict::NotOnThisDevice);
                assert!(!missing && point.value.is_some(), "{point:?}");
            }
            // Eleven rows, by both clocks.
            let factors = section.claims.iter().filter(|claim| claim.source == "Table 2");
            assert_eq!(factors.map(|claim| claim.points.len()).sum::<usize>(), 2 * 11 + 1);
        }
    }

    #[test]
    fn a_software_renderer_tells_adds_and_nothing_else() {
        for effort in [Effort::Quick, Effort::Full] {
            for claim in &section(KEY, effort, true).claims[8..] {
                if claim.verdict == Verdict::NotTestable {
                    assert!(claim.text.contains("breaks even"), "{claim:?}");
                    continue;
                }
                let told = claim.text.contains("much better");
                assert_eq!(claim.verdict != Verdict::NotOnThisDevice, told, "{claim:?}");
                // A quick run shows it.
                let shown = claim.verdict == Verdict::NotMeasured;
                assert_eq!(shown, told && effort == Effort::Quick, "{claim:?}");
                assert!(!told || claim.points.iter().all(|point| point.value.is_some()), "{claim:?}");
            }
        }
    }

    #[test]
    fn where_lines_cross() {
        let printed = crossing(&table("Speedup")).unwrap();
        assert!((58_000.0..60_000.0).contains(&printed), "{printed}");
        assert_eq!(crossing(&[(16, 0.5), (64, 2.0)]).map(f64::round), Some(32.0));
        assert_eq!(
            crossing(&[(16, 2.0), (64, 0.5), (256, 2.0)]).map(f64::round),
            Some(128.0),
            "the last one"
        );
        assert_eq!(crossing(&[(16, 0.5), (64, 0.9)]), Some(f64::INFINITY));
        assert_eq!(crossing(&[(16, 1.5), (64, 2.0)]), Some(16.0));
    }
}
