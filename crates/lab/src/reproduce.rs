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
    let budget = time_left(plan, process, store, budget);
    let measured_before = plan.len() - todo.len();
    save(store)?;
    for (number, planned) in todo.into_iter().enumerate() {
        listener(Progress::Begins { number: measured_before + number, of: plan.len(), cell: planned });
        let rest = budget.saturating_sub(start.elapsed());
        let share = rest.mul_f64(planned.weight() as f64 / left.max(1) as f64);
        left -= planned.weight();
        if start.elapsed() >= budget.mul_f64(PATIENCE) {
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
    store.complete =
        (1..=PROCESSES).all(|process| plan.iter().all(|planned| store.has(&planned.id, process)));
    save(store)
}

/// The protocol for a cell. Rounds are pairs, and a yardstick that has settled is warm enough.
fn protocol(lab: &dyn Lab, share: Duration) -> Protocol {
    let warm_up = Duration::from_millis(20);
    Protocol { in_pairs: true, most: 41, warm_up, ..Protocol::new(lab.device().software, share) }
}

/// A process that has taken this many times its budget leaves cells out: verifying and compiling take as long as they take, and a
/// number needs all processes.
const PATIENCE: f64 = 1.5;

/// The part of a run's budget for the cells that a process has not measured: a continued run has the time that the
/// interrupted one had left. The first process has half of the budget, since it compiles shaders that the driver then keeps, and
/// verifies results that the others know again.
pub fn time_left(plan: &[Planned], process: u32, store: &Store, budget: Duration) -> Duration {
    let budget = if process == 1 { budget / 2 } else { budget / 2 / (PROCESSES - 1) };
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
    use crate::cell::Row;
    use crate::machine::Machine;
    use crate::report::chart::{Figure, Panel};
    use crate::report::page::{Verdict, html, value_files};
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
        let store = run(&Device::gl43(), Effort::Quick);
        let page = page(&store);
        insta::assert_snapshot!(summary(&page));
        let html = html(&page);
        let figures = || page.sections.iter().flat_map(|section| &section.figures);
        assert_eq!(html.matches("<svg").count(), figures().count());
        assert_eq!(value_files(&page).len(), figures().count());
        let drawn = |figure: &Figure| {
            figure.panels.iter().all(|panel| match panel {
                Panel::Lines(lines) => lines.series.iter().any(|series| series.points.len() > 1),
                Panel::Bars(bars) => bars.bars.iter().any(|bar| !bar.segments.is_empty()),
            })
        };
        for figure in figures() {
            assert!(drawn(figure), "{}", figure.title);
        }
    }

    /// On hardware with compute shaders, a full run leaves no claim without a number.
    #[test]
    fn a_full_run_measures_every_claim() {
        let claims = claims(&page(&run(&Device::gl43(), Effort::Full)));
        assert!(claims.len() > 50, "{}", claims.len());
        for claim in &claims {
            let unasked = claim.verdict == Verdict::NotMeasured;
            assert!(!unasked, "{}: {}: {}", claim.key, claim.claim, claim.why);
            assert!(!claim.points.is_empty() && !claim.source.is_empty(), "{claim:?}");
            assert!(
                claim.points.iter().all(|point| point.reproduced != "-" && !point.what.is_empty()),
                "{claim:?}"
            );
        }
        // Each is said once.
        for (number, claim) in claims.iter().enumerate() {
            let same = |other: &&Claim| other.key == claim.key && other.claim == claim.claim;
            assert!(!claims[..number].iter().any(|other| same(&other)), "{}", claim.claim);
        }
    }

    /// What was measured is judged in the same way from its document.
    #[test]
    fn judging_needs_nothing_but_the_document() {
        let store = run(&Device::gl43(), Effort::Quick);
        let text = serde_json::to_vec(&store).unwrap();
        let again = parse(&text).unwrap();
        assert_eq!(claims(&page(&again)), claims(&page(&store)));
        assert_eq!(html(&page(&again)), html(&page(&store)));
        let same = diff(&store, &again);
        assert!(same.contains("\n0 of ") && same.contains("verdicts differ."), "{same}");
        // A device that is twice as fast at everything that draws.
        let mut other = store.clone();
        let drawn = |row: &&mut Row| row.name.starts_with("horn");
        for row in other.cells.iter_mut().flat_map(|cell| &mut cell.rows).filter(drawn) {
            row.ms /= 8.0;
            row.samples.iter_mut().for_each(|ms| *ms /= 8.0);
        }
        let differs = diff(&store, &other);
        assert!(!differs.contains("\n0 of ") && differs.contains("sengupta2006"), "{differs}");
        let table = verdicts(&[store, other]);
        assert!(table.lines().skip(2).all(|line| line.matches(" | ").count() == 3), "{table}");
    }

    #[test]
    fn what_was_measured_on_a_slow_device_is_named_and_decides_nothing() {
        let mut store = run(&Device::gl43(), Effort::Quick);
        let notes = |store: &Store| -> String {
            page(store).sections.iter().flat_map(|section| section.notes.clone()).collect()
        };
        assert!(!notes(&store).contains("full speed"));
        let cell = store.cells.iter_mut().find(|cell| cell.key == "roger2007").unwrap();
        cell.rows[1].yardstick_ms = Some(0.45);
        let name = format!("{} ({})", cell.rows[1].name, cell.rows[1].case);
        store.judge(None);
        let notes = notes(&store);
        assert!(notes.contains("Measured while the device ran below its full speed: "), "{notes}");
        assert!(notes.contains(&format!("{name}, 1.50 times slower")), "{name}: {notes}");
        let slow =
            claims(&page(&store)).into_iter().find(|claim| claim.why.contains("had not settled")).unwrap();
        assert_eq!((slow.key.as_str(), slow.verdict), ("roger2007", Verdict::Undecided));
    }

    /// What is timed on a software renderer in a short run is judged where the paper's sizes are reached only; what is counted, always.
    #[test]
    fn a_quick_run_without_a_gpu_claims_no_more_than_it_measured() {
        let device = Device { software: true, ..Device::gl43() };
        let claims = claims(&page(&run(&device, Effort::Quick)));
        let exact = |claim: &&Claim| claim.points.iter().all(|point| point.interval == "exact");
        assert!(claims.iter().filter(exact).count() >= 12);
        for claim in &claims {
            match claim.verdict {
                Verdict::NotMeasured => assert!(claim.why.len() > 10, "{claim:?}"),
                Verdict::NotOnThisDevice => assert!(claim.why.contains(' '), "{claim:?}"),
                _ => assert!(claim.points.iter().all(|point| point.value.is_some()), "{claim:?}"),
            }
        }
        let of = |words: &str| claims.iter().find(|claim| claim.claim.contains(words)).unwrap();
        for words in ["16,777,216", "2^27"] {
            let verdict = of(words).verdict;
            assert!([Verdict::NotMeasured, Verdict::NotOnThisDevice].contains(&verdict), "{:?}", of(words));
        }
    }

    /// Sections cite what the bibliography has.
    #[test]
    fn citations_are_those_of_the_bibliography() {
        let bibliography = include_str!("../../../assets/references.bib");
        let plain = |text: &str| text.replace(['{', '}'], "");
        let page = page(&Store::new(machine(), Effort::Quick, &keys()));
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
        let claims = claims(&page(&run(&Device::gl33(), Effort::Quick)));
        let without = claims.iter().filter(|claim| claim.verdict == Verdict::NotOnThisDevice);
        assert!(without.clone().count() > 10);
        assert!(
            without
                .clone()
                .all(|claim| claim.why.contains("compute shaders") || claim.why.contains("software"))
        );
        // What is counted holds.
        for words in ["Words moved", "T(n, k)"] {
            let claim = claims.iter().find(|claim| claim.claim.contains(words)).unwrap();
            assert_ne!(claim.verdict, Verdict::NotOnThisDevice, "{words}");
        }
    }

    #[test]
    fn an_interrupt_at_any_step_loses_nothing() {
        let device = Device::gl43();
        let whole = run(&device, Effort::Quick);
        let all = whole.cells.len();
        for steps in (0..=all).step_by(17).chain([1, all - 1, all]) {
            let mut store = Store::new(machine(), Effort::Quick, &keys());
            go_on(&mut store, &device, steps);
            assert_eq!((store.cells.len(), store.complete), (steps, steps == all));
            // The rows so far make a page.
            let html = html(&page(&store));
            assert!(html.trim_end().ends_with("</html>"));
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
        let rebuilt = Store { commit: Some("another".into()), ..store() };
        assert!(
            rebuilt
                .continued_by(&machine(), Effort::Quick, &keys())
                .unwrap_err()
                .contains("another build (another)")
        );
    }
}
