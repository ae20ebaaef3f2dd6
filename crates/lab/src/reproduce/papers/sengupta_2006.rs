//! sengupta2006: the hybrid, as a part of a compaction.

use rasterscan::plan::NARROW;

use crate::case::Case;
use crate::cell::Cell;
use crate::report::chart::{Figure, Lines, Mark, Panel, Role, Scale};
use crate::report::page::{Section, Verdict};
use crate::reproduce::effort::Bounds;
use crate::reproduce::judge::{self, Factor, compared};
use crate::reproduce::paper::{at, axis, cell, section as new_section, series, times};
use crate::reproduce::rows::Rows;

/// The share kept: the paper does not say; half is neither end.
const SHARE: f64 = 0.5;
const HORN: &str = "horn";
/// The number of reduce steps that the paper found best.
const BEST: u32 = 9;

fn hybrid(steps: u32) -> String {
    format!("horn:scan=hybrid:reduce={steps}")
}

/// The lengths of the experiment, and how many reduce steps the paper took for each.
fn lengths(bounds: &Bounds) -> Vec<(u64, u32)> {
    let both = [(1u64 << 18, 9), (1 << 20, 10)];
    both.into_iter().filter(|(n, _)| *n <= 1 << bounds.texture).collect()
}

/// The numbers of reduce steps for a length: as many as there are until one row is left.
fn steps(bounds: &Bounds, n: u64) -> Vec<u32> {
    let rows = n.div_ceil(NARROW.into()).next_power_of_two();
    let all = if bounds.quick { vec![0, 2, 4, 6, 8, 9, 10, 12] } else { (0..=12).collect() };
    all.into_iter().filter(|steps| *steps <= rows.trailing_zeros()).collect()
}

/// Against n: the lengths at which one step is made.
fn against_n(bounds: &Bounds) -> Vec<u32> {
    bounds.within(bounds.texture.min(20), [8, 10, 12, 14, 16, 18, 20])
}

pub fn cells(bounds: &Bounds) -> Vec<Cell> {
    let mut cells = Vec::new();
    let long: Vec<u64> = lengths(bounds).into_iter().map(|(n, _)| n).collect();
    for &n in &long {
        let names: Vec<String> = steps(bounds, n).into_iter().map(hybrid).collect();
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.extend([HORN, "copy:texture"]);
        cells.push(cell(Case::compact(n, SHARE), &names));
    }
    for n in against_n(bounds).into_iter().map(|log2| 1u64 << log2).filter(|n| !long.contains(n)) {
        cells.push(cell(Case::compact(n, SHARE), &[HORN, &hybrid(BEST), "copy:texture"]));
    }
    cells
}

pub fn section(rows: &Rows<'_>, bounds: &Bounds) -> Section {
    let mut section = new_section(
        "sengupta2006",
        "A work-efficient, step-efficient scan",
        "S. Sengupta, A. E. Lefohn, J. D. Owens: A Work-Efficient Step-Efficient Prefix-Sum Algorithm. Workshop on Edge \
         Computing Using New Commodity Architectures, 2006.",
    );
    section.notes.push(format!(
        "The scan is measured as the paper measures it: inside a compaction, of u32 of which {}% are kept. `{HORN}` counts \
         with Horn's scan, `{}` with the hybrid of {BEST} reduce steps.",
        SHARE * 100.0,
        hybrid(BEST)
    ));
    let lengths = lengths(bounds);
    for &(n, _) in &lengths {
        section.claims.push(levels_off(rows, bounds, n));
    }
    let factors = [(1u64 << 18, 9, 3.0), (1 << 20, 10, 4.0)].map(|(n, steps, paper)| {
        let what = format!("{}, {steps} reduce steps", at(n));
        Factor::of(rows, what, paper, [HORN, &hybrid(steps)], &Case::compact(n, SHARE))
    });
    section.claims.push(judge::factors(
        "The hybrid compacts 3 times as fast as Horn at 262,144 elements, 4 times at 1,048,576.",
        factors.into(),
        None,
    ));
    section.claims.push(knee(rows));

    let reduce = |n: u64| {
        let own = rows.all().filter(move |row| row.case.n() == n && row.name.starts_with("horn:scan=hybrid"));
        let name = format!("n = {}", crate::case::length(n));
        series(&name, Role::Data, own, |row| steps_of(&row.name).unwrap_or_default().into(), |_, ms| ms)
    };
    section.figures.push(Figure {
        title: "Time of a compaction against reduce steps".into(),
        description: "Each length has a line; 0 reduce steps are Horn's scan.".into(),
        panels: vec![Panel::Lines(Lines {
            title: "0 reduce steps are Horn's scan".into(),
            x: axis("reduce steps", Scale::LinearFromZero),
            y: axis("time, ms", Scale::Log10),
            series: lengths.iter().map(|(n, _)| reduce(*n)).collect(),
            marks: vec![Mark::Vertical { at: BEST.into(), label: "the paper levels off".into() }],
        })],
    });
    let best = hybrid(BEST);
    let mut lines = times("Horn's scan and the hybrid", rows, &[HORN, &best, "copy:texture"], |_| true);
    lines.marks.push(Mark::Vertical { at: 4096.0, label: "the paper's knee".into() });
    section.figures.push(Figure {
        title: "Time of a compaction against n".into(),
        description: "Horn's compaction, the one with the hybrid, and a copy pass.".into(),
        panels: vec![Panel::Lines(lines)],
    });
    section
}

fn steps_of(name: &str) -> Option<u32> {
    name.rsplit_once("reduce=")?.1.parse().ok()
}

/// Reproduced where nine steps are within 10% of the best number, and at least 1.5 times as fast as none.
fn levels_off(rows: &Rows<'_>, bounds: &Bounds, n: u64) -> crate::report::page::Claim {
    let case = Case::compact(n, SHARE);
    let by_steps: Vec<(u32, f64)> = steps(bounds, n)
        .into_iter()
        .filter_map(|steps| Some((steps, rows.ms(&hybrid(steps), &case)?)))
        .collect();
    let best = by_steps.iter().map(|(_, ms)| *ms).fold(f64::INFINITY, f64::min);
    let level = by_steps.iter().find(|(_, ms)| *ms <= 1.05 * best).map(|(steps, _)| f64::from(*steps));
    let ms = |wanted: u32| by_steps.iter().find(|(steps, _)| *steps == wanted).map(|(_, ms)| *ms);
    let judged = match (ms(0), ms(BEST)) {
        (Some(none), Some(nine)) => Some(if none >= 1.5 * nine && nine <= 1.1 * best {
            let why = format!("nine steps are within {:.0}% of the best", 100.0 * (nine / best - 1.0));
            (Verdict::Reproduced, why)
        } else if none >= 1.03 * nine {
            let why = format!(
                "steps save time, but nine are {:.0}% slower than the best, or save less than a third",
                100.0 * (nine / best - 1.0)
            );
            (Verdict::Weaker, why)
        } else {
            (Verdict::NotReproduced, "reduce steps save nothing here".into())
        }),
        _ => None,
    };
    judge::claim(
        &format!("{}: time falls with the number of reduce steps, and levels off near nine.", at(n)),
        vec![
            compared("steps from which it is within 5% of the best", BEST.into(), level, |steps| {
                format!("{steps:.0}")
            }),
            crate::report::page::Compared {
                what: "time without a step, against nine".into(),
                paper: "more".into(),
                ours: ms(0).zip(ms(BEST)).map_or("-".into(), |(none, nine)| judge::times(none / nine)),
                ratio: None,
            },
        ],
        judged,
        &[rows.absent(&hybrid(0), &case), rows.absent(&hybrid(BEST), &case)],
    )
}

/// Reproduced where sixteen times the elements cost at least twice as many times the time above 4,096 as below.
fn knee(rows: &Rows<'_>) -> crate::report::page::Claim {
    let ms = |log2: u32| rows.ms(HORN, &Case::compact(1 << log2, SHARE));
    let growth = |from: u32, to: u32| ms(from).zip(ms(to)).map(|(from, to)| to / from);
    let (below, above) = (growth(8, 12), growth(12, 16));
    let judged = below.zip(above).map(|(below, above)| {
        let verdict = match above / below {
            more if more >= 2.0 => Verdict::Reproduced,
            more if more >= 1.25 => Verdict::Weaker,
            _ => Verdict::NotReproduced,
        };
        (verdict, format!("the time grows {:.1} times as much above 4,096 elements as below", above / below))
    });
    let growth = |what: &str, paper: &str, ours: Option<f64>| crate::report::page::Compared {
        what: what.into(),
        paper: paper.into(),
        ours: ours.map_or("-".into(), judge::times),
        ratio: None,
    };
    judge::claim(
        "Horn's compaction gets much slower past 4,096 elements, where the degree of parallelism ends.",
        vec![
            growth("time at 4,096 over that at 256", "little", below),
            growth("time at 65,536 over that at 4,096", "much", above),
        ],
        judged,
        &[],
    )
}
