//! The formulas of section VII, as printed and corrected, against what the simulator counts.

use rasterscan_drawing::number::{grouped, significant};
use rasterscan_kmodel::{Pattern, corrected, printed};

use super::checked::{CHECKED, Checked, cases, counted};
use crate::report::page::{Claim, Table};
use crate::reproduce::paper::or_dash;
use crate::reproduce::papers::capannini_2011::setup::{BANKS_IN_PRINT, KEY};
use crate::reproduce::statements::statement;

/// A printed number is that of the simulator.
fn is(printed: Option<f64>, counted: f64) -> bool {
    printed.is_some_and(|printed| (printed - counted).abs() <= 1e-12 * counted.abs().max(1.0))
}

/// The scans in a pattern.
fn of(pattern: Pattern) -> impl Iterator<Item = &'static Checked> {
    CHECKED.iter().filter(move |scan| scan.pattern == pattern)
}

fn trees() -> impl Iterator<Item = &'static Checked> {
    CHECKED.iter().filter(|scan| scan.pattern != Pattern::Cm)
}

/// How many of these scans there are, and of how many something is true.
fn count<'a>(scans: impl Iterator<Item = &'a Checked>, holds: impl Fn(&Checked) -> bool) -> (usize, usize) {
    scans.fold((0, 0), |(right, all), scan| (right + usize::from(holds(scan)), all + 1))
}

fn t_in_print(scan: &Checked) -> bool {
    is(printed::latency(scan.pattern, scan.model), scan.counts.latency as f64)
}

fn t_corrected(scan: &Checked) -> bool {
    corrected::latency(scan.pattern, scan.model) == scan.counts.latency
}

/// A claim with the cases of each pattern.
fn of_patterns(name: &str, holds: fn(&Checked) -> bool) -> Claim {
    let claim = statement(KEY, name);
    claim.with_points(
        &[],
        Pattern::PAPER.map(|pattern| cases(claim, 0, &pattern.to_string(), count(of(pattern), holds))),
    )
}

pub fn latencies_in_print() -> Claim {
    of_patterns("latencies_in_print", t_in_print)
}

pub fn latencies() -> Claim {
    of_patterns("latencies", t_corrected)
}

pub fn lengths() -> Claim {
    let claim = statement(KEY, "lengths");
    let length = |scan: &Checked| is(printed::length(scan.pattern, scan.model), scan.counts.length as f64);
    let instructions =
        |scan: &Checked| is(printed::instructions(scan.pattern, scan.model), scan.counts.instructions as f64);
    let efficiency = |scan: &Checked| {
        let counted = scan.counts.efficiency(scan.model.k());
        counted.is_some_and(|counted| is(printed::efficiency(scan.pattern, scan.model), counted))
    };
    let transactions =
        |scan: &Checked| is(Some(printed::transactions(scan.model)), scan.counts.transactions as f64);
    // One element on one bank takes no instruction.
    let some = trees().filter(|scan| scan.counts.instructions > 0);
    let counts = [
        count(trees(), length),
        count(of(Pattern::Cm), length),
        count(trees(), instructions),
        count(some, efficiency),
        count(CHECKED.iter(), transactions),
    ];
    claim.with_points(
        &[],
        counts.into_iter().enumerate().map(|(index, counts)| cases(claim, index, "", counts)),
    )
}

pub fn space() -> Claim {
    let claim = statement(KEY, "space");
    let beyond = |pattern: Pattern| {
        let most = of(pattern).map(|scan| scan.counts.words - scan.model.n()).max();
        claim.point(0, &[("pattern", &pattern)], counted(most))
    };
    let mut points: Vec<_> = [Pattern::Cm, Pattern::NoPadding, Pattern::LeftRight].map(beyond).into();
    let words = |scan: &Checked| scan.counts.words == scan.model.n() + (scan.model.n() - 1) / scan.model.k();
    points.push(cases(claim, 1, "", count(of(Pattern::Padding), words)));
    claim.with_points(&[], points)
}

/// How far the printed T is from what is counted.
pub fn table() -> Table {
    let line = |pattern: Pattern| {
        let (as_printed, all) = count(of(pattern), t_in_print);
        let (as_corrected, _) = count(of(pattern), t_corrected);
        let differences = of(pattern).filter_map(|scan| {
            let missing = scan.counts.latency as f64 - printed::latency(pattern, scan.model)?;
            Some((missing.abs(), missing.abs() / (scan.counts.latency as f64).max(1.0)))
        });
        let (most, share) = differences.fold((0.0, 0.0), |(most, share): (f64, f64), (missing, part)| {
            (most.max(missing), share.max(part))
        });
        vec![
            pattern.label().into(),
            format!("{as_printed} of {all}"),
            format!("{as_corrected} of {all}"),
            significant(most),
            format!("{:.0}%", 100.0 * share),
        ]
    };
    Table::new(
        "T(n, k) in print, corrected, and as counted, for k from 1 to 128 and n from k to 2^14",
        ["pattern", "T right as printed", "T right as corrected", "most missing in print", "as a share of T"],
        Pattern::PAPER.map(line),
    )
}

/// Figure 4 in numbers: T on the paper's banks, by the formulas in print and as counted.
pub fn figure_4() -> Table {
    let own =
        |n: u64| CHECKED.iter().filter(move |scan| (scan.model.n(), scan.model.k()) == (n, BANKS_IN_PRINT));
    let line = |n: u64| {
        let cells = own(n).flat_map(|scan| {
            let printed = printed::latency(scan.pattern, scan.model);
            let printed = or_dash(printed, |printed| format!("{printed:.2}"));
            [printed.trim_end_matches(".00").into(), grouped(scan.counts.latency)]
        });
        std::iter::once(grouped(n)).chain(cells).collect()
    };
    let titles = Pattern::PAPER.map(|pattern| [format!("{pattern}, printed"), format!("{pattern}, counted")]);
    Table::new(
        format!(
            "Figure 4 in numbers: T(n) on {BANKS_IN_PRINT} banks, by the formulas in print and as counted"
        ),
        std::iter::once("n".to_owned()).chain(titles.into_iter().flatten()),
        (5..=12).map(|power| line(1 << power)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_in_print_contradict_the_text() {
        let table = figure_4();
        assert_eq!(table.rows[0], ["32", "8.06", "9", "9", "9", "1.50", "5", "5", "5"]);
        assert_eq!(table.rows[6], ["2,048", "1280.06", "1,281", "639", "639", "159", "159", "131", "131"]);
    }

    /// The errata of the papers say in how many cases the printed T is wrong.
    #[test]
    fn wrong_cases_are_as_many_as_the_errata_say() {
        let wrong = |pattern| {
            let (right, all) = count(of(pattern), t_in_print);
            assert_eq!(all, 92);
            all - right
        };
        assert_eq!(Pattern::PAPER.map(wrong), [77, 0, 28, 0]);
    }
}
