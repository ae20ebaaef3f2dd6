//! Each paper's claims, measured as the paper did, with a verdict and the figures redrawn.
//!
//! ```text
//! every paper says which cells it needs                    papers/, plan.rs
//! each process measures cell after cell, kept at once      store.rs: a document
//! what is computed from the rows gets an interval          rows.rs
//! every paper judges its claims by these intervals         papers/, judge.rs
//! rows, verdicts and figures become a page                 page.rs
//! ```
//!
//! Judging measures nothing: a report can be made at any time from the rows so far, so an interrupt loses at most one
//! cell.

mod diff;
mod effort;
mod judge;
mod page;
mod paper;
mod papers;
mod plan;
mod printed;
mod rows;
mod store;

use std::time::Duration;

use rasterscan::clock::Instant;

use crate::cell::{AGAIN, Lab, LabError};
use crate::measure::Protocol;
use crate::progress::{Listener, Progress};

pub use diff::{diff, verdicts};
pub use effort::{Bounds, Effort};
pub use page::{claims, page, summary};
pub use paper::Paper;
pub use papers::PAPERS;
pub use plan::{Planned, plan};
pub use rows::{Found, KeptRows, PROCESSES, Rows};
pub use store::{Claim, Store, parse};

/// Measures, as one process of a run, the cells that this process has not measured yet, and saves the store after each. Cells with
/// no time left are stored as left out. `budget` is for all processes.
pub fn measure<E: From<LabError>>(
    plan: &[Planned],
    process: u32,
    budget: Duration,
    lab: &mut dyn Lab,
    store: &mut Store,
    save: &dyn Fn(&Store) -> Result<(), E>,
    listener: Listener<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), E> {
    let start = Instant::now();
    let todo: Vec<&Planned> = plan.iter().filter(|planned| !store.has(&planned.id, process)).collect();
    let mut left: u64 = todo.iter().map(|planned| planned.weight()).sum();
    let budget = time_left(plan, process, store, budget / PROCESSES);
    let measured_before = plan.len() - todo.len();
    save(store)?;
    for (number, planned) in todo.into_iter().enumerate() {
        listener(Progress::Begins { number: measured_before + number, of: plan.len(), cell: planned });
        let rest = budget.saturating_sub(start.elapsed());
        let share = rest.mul_f64(planned.weight() as f64 / left.max(1) as f64);
        left -= planned.weight();
        if rest < Duration::from_millis(200) {
            store.skip(planned, process, "the time was up");
        } else {
            let protocol = protocol(lab, share);
            let began = start.elapsed();
            let measured = lab.measure(&planned.cell, &protocol, go_on)?;
            if !go_on() {
                break;
            }
            listener(Progress::Measured { cell: planned, took: start.elapsed() - began, share });
            store.add(planned, process, measured);
            store.judge(lab.pace());
        }
        save(store)?;
    }
    if plan.iter().all(|planned| store.has(&planned.id, process)) {
        measure_again(plan, process, budget.mul_f64(AGAIN), lab, store, listener, go_on)?;
    }
    store.complete = (1..=PROCESSES).all(|process| plan.iter().all(|planned| store.has(&planned.id, process)));
    save(store)
}

/// The protocol for a cell. Rounds are pairs, and a yardstick that has settled is warm enough.
fn protocol(lab: &dyn Lab, share: Duration) -> Protocol {
    let warm_up = Duration::from_millis(20);
    Protocol { in_pairs: true, most: 41, warm_up, ..Protocol::new(lab.device().software, share) }
}

/// The part of a process's budget for cells that it has not measured: a continued run has the time that the interrupted
/// one had left.
pub fn time_left(plan: &[Planned], process: u32, store: &Store, budget: Duration) -> Duration {
    let all: u64 = plan.iter().map(Planned::weight).sum();
    let todo = plan.iter().filter(|planned| !store.has(&planned.id, process));
    let left: u64 = todo.map(Planned::weight).sum();
    budget.mul_f64(left as f64 / all.max(1) as f64)
}

/// Measures again the cells during which the device was slow, as long as `budget` lasts.
fn measure_again(
    plan: &[Planned],
    process: u32,
    budget: Duration,
    lab: &mut dyn Lab,
    store: &mut Store,
    listener: Listener<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), LabError> {
    let start = Instant::now();
    let unsettled: Vec<&Planned> =
        plan.iter().filter(|planned| store.is_unsettled(&planned.id, process)).collect();
    for (number, planned) in unsettled.iter().enumerate() {
        let left = budget.saturating_sub(start.elapsed());
        if left.is_zero() {
            break;
        }
        let protocol = protocol(lab, left / (unsettled.len() - number) as u32);
        let measured = lab.measure(&planned.cell, &protocol, go_on)?;
        if !go_on() {
            break;
        }
        store.measured_again(&planned.id, process, measured);
        store.judge(lab.pace());
    }
    let still = unsettled.iter().filter(|planned| store.is_unsettled(&planned.id, process)).count();
    if !unsettled.is_empty() {
        listener(Progress::Note(format!(
            "{} of {} cells were measured while the device ran below its full speed; after a second measurement \
             {still} are still slow, and the report says so",
            unsettled.len(),
            plan.len(),
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use rasterscan::Device;

    use super::*;
    use crate::machine::Machine;
    use crate::report::chart::{Figure, Panel, Series};
    use crate::report::page::html;
    use crate::stub::{StubLab, machine};

    fn keys() -> Vec<&'static str> {
        PAPERS.iter().map(|paper| paper.key).collect()
    }

    /// A machine that measures so.
    fn machine_of(device: &Device) -> Machine {
        Machine { software: device.software, ..machine() }
    }

    /// Continues a run whose times come from a formula, for at most `most` cells of all processes.
    fn go_on(store: &mut Store, device: &Device, most: usize) {
        let plan = plan(&keys(), store.effort, device.software);
        let cells = RefCell::new(0);
        for process in 1..=PROCESSES {
            let mut lab = StubLab::new(device.clone());
            let mut wanted = || {
                // Called once in the lab and once after it.
                *cells.borrow_mut() += 1;
                *cells.borrow() <= 2 * most
            };
            let save = |_: &Store| Ok::<_, LabError>(());
            let time = Duration::from_secs(1000);
            measure(&plan, process, time, &mut lab, store, &save, &mut |_| {}, &mut wanted).unwrap();
        }
    }

    /// A whole run.
    fn run(device: &Device, effort: Effort) -> Store {
        let mut store = Store::new(machine_of(device), effort, &keys());
        go_on(&mut store, device, usize::MAX / 2);
        assert!(store.complete);
        store
    }

    #[test]
    fn a_report_on_a_stubbed_clock() {
        let device = Device::gl43();
        let mut store = Store::new(machine(), Effort::Quick, &keys());
        go_on(&mut store, &device, usize::MAX / 2);
        assert!(store.complete);
        insta::assert_snapshot!(summary(&store, &device));
        let page = page(&store, &device);
        let html = html(&page);
        let figures = page.sections.iter().map(|section| section.figures.len()).sum::<usize>();
        assert_eq!((html.matches("<svg").count(), figures), (13, 13));
        let measured = |figure: &Figure| {
            figure.panels.iter().all(|panel| match panel {
                Panel::Lines(lines) => lines.series.iter().any(|series| series.points.len() > 1),
                Panel::Bars(bars) => bars.bars.iter().any(|bar| !bar.segments.is_empty()),
            })
        };
        for figure in page.sections.iter().flat_map(|section| &section.figures) {
            assert!(measured(figure), "{}", figure.title);
        }
    }

    #[test]
    fn what_was_measured_on_a_slow_device_is_named_in_the_report() {
        let device = Device::gl43();
        let mut store = Store::new(machine(), Effort::Quick, &keys());
        go_on(&mut store, &device, usize::MAX / 2);
        let notes = |store: &Store| -> String {
            page(store, &device).sections.iter().flat_map(|section| section.notes.clone()).collect()
        };
        assert!(!notes(&store).contains("full speed"));
        let cell = store.cells.iter_mut().find(|cell| cell.key == "roger2007").unwrap();
        cell.rows[1].yardstick_ms = Some(0.45);
        let name = format!("{} ({})", cell.rows[1].name, cell.rows[1].case);
        store.judge(None);
        let notes = notes(&store);
        assert!(notes.contains("Measured while the device ran below its full speed: "), "{notes}");
        assert!(notes.contains(&format!("{name}, 1.50 times slower")), "{name}: {notes}");
    }

    /// Every figure has what its title says, and each point was measured as it is drawn.
    #[test]
    fn figures_draw_what_was_measured_for_them() {
        let (device, effort) = (Device::gl43(), Effort::Full);
        for software in [false, true] {
            let device = Device { software, ..device.clone() };
            let mut store = Store::new(machine(), effort, &keys());
            let plan = plan(&keys(), effort, &device);
            let mut lab = StubLab::new(device.clone());
            let (save, time) = (|_: &Store| Ok::<_, LabError>(()), Duration::from_secs(1000));
            measure(&plan, time, &mut lab, &mut store, &save, &mut |_| {}, &mut || true).unwrap();
            let page = page(&store, &device);
            let lines = |title: &str| -> Vec<Series> {
                let figures = page.sections.iter().flat_map(|section| &section.figures);
                let figure = figures.into_iter().find(|figure| figure.title.starts_with(title)).unwrap();
                match &figure.panels[0] {
                    Panel::Lines(lines) => lines.series.clone(),
                    Panel::Bars(_) => unreachable!("{title} has lines"),
                }
            };
            // Each pattern and the copy at the lengths of this figure, and not at those of figure 5.
            let large = lines("Figure 6");
            assert_eq!(large.len(), 5, "four patterns and the copy");
            assert!(large.iter().all(|line| line.points.len() == large[0].points.len()));
            let xs = |line: &Series| -> Vec<f64> { line.points.iter().map(|p| p.x).collect() };
            assert!(large.iter().all(|line| xs(line) == xs(&large[0])), "{large:?}");
            // 2^18 elements are 1,024 rows, and so end after ten steps.
            let steps = lines("Time of a compaction against reduce steps");
            assert_eq!(steps.iter().map(|line| line.points.len()).collect::<Vec<_>>(), [11, 13]);
            let rows = || store.rows("sengupta2006");
            for (n, most) in [(1u64 << 18, 10), (1 << 20, 12)] {
                let passes = (0..=most).map(|steps| {
                    let name = format!("horn:scan=hybrid:reduce={steps}");
                    rows().all().find(|row| row.name == name && row.case.n() == n).unwrap().passes
                });
                let passes: Vec<usize> = passes.collect();
                assert!(
                    passes.is_sorted_by(|a, b| a < b),
                    "each number of steps is a plan of its own: {passes:?}"
                );
            }
        }
    }

    #[test]
    fn a_claim_is_judged_where_its_sizes_were_measured_only() {
        // A quick run on the CPU measures up to 2^18.
        let device = Device { software: true, ..Device::gl43() };
        let mut store = Store::new(machine(), Effort::Quick, &keys());
        go_on(&mut store, &device, usize::MAX / 2);
        let claims = claims(&page(&store, &device));
        for words in [
            "From 2^22 items on, SAM",
            "On large inputs SAM",
            "at orders 2, 5 and 8",
            "at tuples of 2, 5 and 8",
            "up to 2.9 times",
            "up to 2.6 times",
            "16,777,216 elements",
            "near 70% of the elements",
            "In blocks, Hillis and Steele's",
        ] {
            let claim = claims.iter().find(|claim| claim.claim.contains(words)).unwrap();
            assert_eq!(claim.verdict.label(), "not measured", "{words}: {claim:?}");
            // For the scans in blocks, the paper also has a value for 2^18, which alone decides nothing.
            let shown = claim.points.iter().filter(|point| point.ours != "-");
            assert_eq!(shown.count(), usize::from(words.starts_with("In blocks")), "{claim:?}");
            assert!(claim.why.ends_with('.'), "{claim:?}");
        }
    }

    /// Sections cite what the bibliography has.
    #[test]
    fn citations_are_those_of_the_bibliography() {
        let bibliography = include_str!("../../../assets/references.bib");
        let plain = |text: &str| text.replace(['{', '}'], "");
        let device = Device::gl43();
        let page = page(&Store::new(machine(), Effort::Quick, &keys()), &device);
        for section in &page.sections {
            let (_, entry) = bibliography.split_once(&format!("{{{},", section.key)).unwrap();
            let field = |name: &str| {
                let line = entry.lines().find(|line| line.trim().starts_with(name)).unwrap();
                plain(line.split_once('=').unwrap().1).trim().trim_end_matches(',').to_owned()
            };
            assert!(section.citation.contains(&field("title")), "{}: {}", section.key, field("title"));
            for author in field("author").split(" and ") {
                let last = author.split_whitespace().last().unwrap();
                assert!(section.citation.contains(last), "{}: {last}", section.key);
            }
        }
    }

    #[test]
    fn where_there_are_no_compute_shaders_that_is_said() {
        let device = Device::gl33();
        let mut store = Store::new(machine(), Effort::Quick, &keys());
        go_on(&mut store, &device, usize::MAX / 2);
        let claims = claims(&page(&store, &device));
        let verdict = |words: &str| claims.iter().find(|claim| claim.claim.contains(words)).unwrap();
        assert_eq!(verdict("twice as fast as Thrust").verdict.label(), "not on this device");
        assert!(verdict("twice as fast as Thrust").why.contains("compute shaders"));
        assert_eq!(verdict("LeftRight is up to 25%").verdict.label(), "not on this device");
        assert_eq!(verdict("Words moved").verdict.label(), "reproduced", "that is counted");
    }

    #[test]
    fn an_interrupt_at_any_step_loses_nothing() {
        let device = Device::gl43();
        let mut whole = Store::new(machine(), Effort::Quick, &keys());
        go_on(&mut whole, &device, usize::MAX / 2);
        let all = whole.cells.len();
        for steps in 0..=all {
            let mut store = Store::new(machine(), Effort::Quick, &keys());
            go_on(&mut store, &device, steps);
            assert_eq!((store.cells.len(), store.complete), (steps, steps == all));
            // The rows so far make a page.
            if steps % 10 == 0 {
                let html = html(&page(&store, &device));
                assert!(html.trim_end().ends_with("</html>"));
            }
            // As it is kept in its file.
            let text = serde_json::to_string(&store).unwrap();
            let again: Store = serde_json::from_str(&text).unwrap();
            let mut again = again.continued_by(&machine(), Effort::Quick, &keys()).unwrap();
            go_on(&mut again, &device, usize::MAX / 2);
            assert_eq!(again, whole, "after {steps} cells");
        }
    }

    #[test]
    fn another_run_cannot_be_gone_on_with() {
        let store = || Store::new(machine(), Effort::Quick, &keys());
        let why = |machine: &Machine, effort, keys: &[&str]| {
            store().continued_by(machine, effort, keys).unwrap_err()
        };
        let other = Machine { renderer: "another".into(), ..machine() };
        assert!(why(&other, Effort::Quick, &keys()).contains("another device or version (a stub"));
        assert!(why(&machine(), Effort::Full, &keys()).contains("another effort (quick)"));
        assert!(why(&machine(), Effort::Quick, &["roger2007"]).contains("other papers"));
        let later = Machine { date: "2027".into(), load: Some(1.0), ..machine() };
        assert!(store().continued_by(&later, Effort::Quick, &keys()).is_ok());
    }
}
