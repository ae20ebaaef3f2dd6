//! Claims that are timed: Table 2, and the four kernels.

use super::setup::{BETWEEN, BLOCK, CPU, GPU, LAUNCHED, NAIVE, PADDED, WORK_EFFICIENT, case, large, table};
use crate::report::page::Claim;
use crate::reproduce::effort::Bounds;
use crate::reproduce::judge::{self, Point, Rule, times, whole};
use crate::reproduce::paper::at;
use crate::reproduce::rows::Rows;

/// A part of Table 2: its lengths, and the words about them.
struct Part {
    text: &'static str,
    from: u64,
    to: u64,
}

const PARTS: [Part; 3] = [
    Part {
        text: "For 1,024 and 32,768 elements the CPU is faster: the GPU runs at 0.03 and 0.68 of its speed",
        from: 1 << 10,
        to: 1 << 15,
    },
    Part {
        text: "From 65,536 to 8,388,608 elements the GPU is 1.07 to 5.93 times as fast as the CPU",
        from: 1 << 16,
        to: 1 << 23,
    },
    Part {
        text: "The GPU scans 16,777,216 elements 5.98 times as fast as the CPU",
        from: 1 << 24,
        to: 1 << 24,
    },
];

/// The GPU's contender, and the words on its clock.
const CLOCKS: [(&str, &str); 2] = [(LAUNCHED, "with launches"), (GPU, "by the GPU's own clock")];

const SAME_DEVICE: &str = "a software renderer runs on the CPU, so this would compare a CPU with a CPU";
const NO_BANKS: &str = "a software renderer has no banks of shared memory";

pub fn claims(rows: &Rows<'_>, bounds: &Bounds) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (contender, clock) in CLOCKS {
        for part in &PARTS {
            claims.push(factors(rows, bounds, part, contender, clock));
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

/// The point, or the reason why a software renderer cannot tell.
fn on_hardware(point: Point, bounds: &Bounds, reason: &str) -> Point {
    if bounds.software { point.not_on_this_device(reason) } else { point }
}

fn factors(rows: &Rows<'_>, bounds: &Bounds, part: &Part, contender: &str, clock: &str) -> Claim {
    let own = table("Speedup").into_iter().filter(|(n, _)| (part.from..=part.to).contains(n));
    let point = |(n, paper): (u64, f64)| {
        let found = rows.estimate(|rows| rows.factor(CPU, contender, &case(n)));
        on_hardware(Point::new(at(n), Some(paper), Rule::factor(paper), found, times), bounds, SAME_DEVICE)
    };
    judge::claim(format!("{} ({clock}).", part.text), "Table 2", own.map(point).collect(), "")
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

fn elements(n: f64) -> String {
    if n.is_finite() { whole(n) } else { "never".into() }
}

/// The number of the claim. The printed factors cross 1 a little below.
const NEAR: f64 = 65_536.0;

fn break_even(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
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
    let what = "elements from which on the GPU is faster, with launches";
    let point = Point::new(what, Some(paper), Rule::near(NEAR, 2.0, 8.0), found, elements);
    judge::claim(
        "The GPU breaks even near 65,536 elements.",
        "Table 2",
        vec![on_hardware(point, bounds, SAME_DEVICE)],
        "the number lies between two lengths that were measured, and the paper's between two rows of its \
         table",
    )
}

fn efficient(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let point = |n: &u64| {
        let what = format!("speed over that of the naive one, {}", at(*n));
        Point::ratio(rows, what, Rule::at_least(0.95, 1.5), |rows| rows.factor(NAIVE, GPU, &case(*n)))
            .says("much better")
    };
    judge::claim(
        "For large arrays, the work-efficient scan should perform much better than the naive one.",
        "Section A Work-Efficient Parallel Scan",
        large(bounds).iter().map(point).collect(),
        "measured without bank conflicts, by `ZERO_BANK_CONFLICTS`; in blocks of 512 it makes a third of the adds, and \
         has twice as many barriers",
    )
}

/// What conflicts cost: the same tree with and without them.
fn conflicts(rows: &Rows<'_>, bounds: &Bounds, place: &str, lengths: &[u64]) -> Claim {
    let mut points = Vec::new();
    for n in lengths {
        for (name, words) in [(PADDED, "padding"), (GPU, "ZERO_BANK_CONFLICTS")] {
            let what = format!("speed with {words} over that without, {}", at(*n));
            let rule = Rule::at_least(0.95, 1.05);
            let point = Point::ratio(rows, what, rule, |rows| rows.factor(WORK_EFFICIENT, name, &case(*n)));
            points.push(on_hardware(point.says("significant"), bounds, NO_BANKS));
        }
    }
    judge::claim(
        format!("Bank conflicts have a significant effect on performance, {place}."),
        "Sections A Work-Efficient Parallel Scan, Avoiding Bank Conflicts",
        points,
        "the times are those of whole passes, with their trips through memory",
    )
}

/// The last of the four kernels is the best.
fn best(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let mut lengths = vec![BLOCK];
    lengths.extend(large(bounds));
    let point = |n: &u64| {
        let found = rows.estimate(|rows| {
            let others = [NAIVE, WORK_EFFICIENT, PADDED].map(|name| rows.ms(name, &case(*n)));
            let fastest =
                others.into_iter().collect::<Option<Vec<f64>>>()?.into_iter().fold(f64::INFINITY, f64::min);
            Some(rows.ms(GPU, &case(*n))? / fastest)
        });
        let what = format!("time over that of the fastest other kernel, {}", at(*n));
        let point = Point::new(what, None, Rule::at_most(1.05, 1.1), found, times).says("best performance");
        on_hardware(point, bounds, NO_BANKS)
    };
    judge::claim(
        "The last of the four kernels, the work-efficient one without bank conflicts, has the best \
         performance.",
        "Abstract",
        lengths.iter().map(point).collect(),
        "on 32 banks, both paddings of a block of 512 elements are the same",
    )
}

#[cfg(test)]
mod tests {
    use rasterscan::Device;

    use super::*;
    use crate::report::page::Section;
    use crate::report::page::Verdict;
    use crate::reproduce::effort::Effort;
    use crate::reproduce::papers::harris_2007;
    use crate::reproduce::samples;

    /// The section of a whole run on a stubbed clock.
    fn section(effort: Effort, software: bool) -> Section {
        let device = Device { software, ..Device::gl43() };
        let store = samples::run(&[harris_2007::KEY], &device, effort);
        harris_2007::section(&store.rows(harris_2007::KEY), &Bounds::new(effort, software))
    }

    #[test]
    fn all_is_measured_on_hardware() {
        for effort in [Effort::Quick, Effort::Full] {
            let section = section(effort, false);
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
            for claim in &section(effort, true).claims[8..] {
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
        assert_eq!((elements(f64::INFINITY), elements(65_536.0)), ("never".into(), "65,536".into()));
    }
}
