//! Each paper's claims, measured as the paper did, with a verdict and the figures redrawn.
//!
//! ```text
//! every paper says which cells it needs                    papers/, papers.rs
//! each process measures cell after cell, kept at once      process.rs, store.rs: a document
//! what is computed from the rows gets an interval          rows.rs
//! every paper judges its claims by these intervals         statements.rs, papers/, judge.rs
//! rows, verdicts and figures become a page                 page.rs
//! stored reports fill the article's holes                  article.rs
//! ```
//!
//! Judging measures nothing: a report can be made at any time from the rows so far, so an interrupt loses at most one
//! cell.

mod article;
mod diff;
mod effort;
mod judge;
mod page;
mod paper;
mod papers;
mod printed;
mod process;
mod rows;
#[cfg(test)]
mod samples;
mod statements;
mod store;
mod unit;

pub use article::{ArticleError, Sources, article};
pub use diff::{diff, verdicts};
pub use effort::{Bounds, Effort};
pub use page::{claims, page, summary};
pub use paper::Paper;
pub use papers::{PAPERS, Planned, plan};
pub use process::Process;
pub use rows::{KeptRows, Lookup, PROCESSES, PaperRows};
pub use store::{Store, parse};

#[cfg(test)]
mod tests {

    use std::time::Duration;

    use rasterscan::Device;

    use super::*;
    use crate::cell::{LabError, LeftOut, Row};
    use crate::machine::Machine;
    use crate::measure::median;
    use crate::report::chart::{Figure, Panel};
    use crate::report::page::{Claim, Verdict, html, value_files};
    use crate::reproduce::samples;
    use crate::stub::{StubLab, machine};

    fn keys() -> Vec<&'static str> {
        PAPERS.iter().map(|paper| paper.key).collect()
    }

    /// A whole run of all papers.
    fn run(device: &Device, effort: Effort) -> Store {
        samples::run(&keys(), device, effort)
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
            assert!(!unasked, "{}: {}: {}", claim.key, claim.text, claim.why);
            assert!(!claim.points.is_empty() && !claim.source.is_empty(), "{claim:?}");
            assert!(
                claim.points.iter().all(|point| point.reproduced != "-" && !point.what.is_empty()),
                "{claim:?}"
            );
        }
        // Each is said once.
        for (number, claim) in claims.iter().enumerate() {
            let same = |other: &&Claim| other.key == claim.key && other.text == claim.text;
            assert!(!claims[..number].iter().any(|other| same(&other)), "{}", claim.text);
        }
    }

    /// Whatever is missing, only what was counted has an outcome.
    #[test]
    fn nothing_is_judged_from_no_data() {
        for (software, effort) in
            [(false, Effort::Full), (false, Effort::Quick), (true, Effort::Full), (true, Effort::Quick)]
        {
            let device = Device { software, ..Device::gl43() };
            let whole = run(&device, effort);
            let without = |change: fn(&mut Store)| {
                let mut store = whole.clone();
                change(&mut store);
                store
            };
            let stores = [
                without(|store| store.cells.clear()),
                without(|store| store.cells.iter_mut().for_each(|cell| cell.rows.clear())),
                without(|store| store.cells.retain(|cell| cell.process == PROCESSES)),
                without(|store| {
                    let rows = store.cells.iter_mut().flat_map(|cell| &mut cell.rows);
                    rows.for_each(|row| row.samples.clear());
                }),
            ];
            for (number, claim) in stores.iter().flat_map(|store| claims(&page(store))).enumerate() {
                let counted = claim.points.iter().all(|point| point.interval == "exact");
                assert!(
                    counted && !claim.points.is_empty()
                        || !claim.verdict.is_outcome() && claim.verdict != Verdict::Undecided,
                    "{number}: {claim:?}"
                );
                assert!(claim.verdict.is_outcome() || !claim.why.is_empty(), "{number}: {claim:?}");
            }
        }
    }

    /// Bits of floats are compared in each process, and first, however little time there is.
    #[test]
    fn what_is_no_matter_of_time_is_not_left_out_for_lack_of_it() {
        let mut store = Store::new(machine(), Effort::Full, &keys());
        let plan = plan(&keys(), Effort::Full, false, true);
        assert!(plan[0].cell.repeats > 0);
        for number in 1..=PROCESSES {
            let process = Process { number, plan: &plan, budget: Duration::from_nanos(1) };
            let save = |_: &Store| Ok::<_, LabError>(());
            let lab = &mut StubLab::new(Device::gl33());
            process.measure(process.budget, lab, &mut store, &save, &mut |_| {}, &mut || true).unwrap();
        }
        for (planned, cell) in plan.iter().zip(&store.cells) {
            assert_eq!(planned.id, cell.id);
            let late = |left_out: &LeftOut| left_out.reason == "the time was up";
            assert!(planned.cell.repeats == 0 || !cell.left_out.iter().any(late), "{}", cell.id);
            // A contender that the device cannot run is left out for that reason, late or not.
            let refused = |left_out: &LeftOut| left_out.name != "sam:exchange=each" || !late(left_out);
            assert!(cell.left_out.iter().all(refused), "{}", cell.id);
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
        let (reports, table) = table.split_once("\n\n").unwrap();
        assert!(reports.lines().all(|line| line.contains("; commit ")), "{reports}");
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

    /// Runs of one device whose processes differ by 6%, and their rounds by 10%, disagree on no claim: where noise may decide, the
    /// claim is undecided.
    #[test]
    fn noise_gives_no_two_different_verdicts() {
        let whole = run(&Device::gl43(), Effort::Full);
        let noisy = |mut state: u64| {
            let mut by = |most: f64| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                1.0 + most * ((state >> 11) as f64 / (1u64 << 53) as f64 - 0.5)
            };
            let mut store = whole.clone();
            for row in store.cells.iter_mut().flat_map(|cell| &mut cell.rows) {
                let process = by(0.06);
                row.samples.iter_mut().for_each(|ms| *ms *= process * by(0.10));
                if !row.samples.is_empty() {
                    row.ms = median(&mut row.samples.clone());
                }
                row.readback_ms = row.readback_ms.map(|ms| ms * by(0.10));
                row.phases.iter_mut().for_each(|phase| phase.ms *= by(0.10));
            }
            claims(&page(&store))
        };
        let [first, ref others @ ..] = [1, 2, 3, 4].map(noisy);
        let decided = |claim: &Claim| claim.verdict != Verdict::Undecided;
        for (one, other) in others.iter().flat_map(|other| first.iter().zip(other)) {
            let agree = one.verdict == other.verdict || !decided(one) || !decided(other);
            assert!(agree, "{one:?}\n{other:?}");
        }
        assert!(first.iter().filter(|claim| decided(claim)).count() > 90);
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
                Verdict::NotMeasured | Verdict::NotTestable => assert!(claim.why.len() > 10, "{claim:?}"),
                Verdict::NotOnThisDevice => assert!(claim.why.contains(' '), "{claim:?}"),
                _ => assert!(claim.points.iter().all(|point| point.value.is_some()), "{claim:?}"),
            }
        }
        let of = |words: &str| claims.iter().find(|claim| claim.text.contains(words)).unwrap();
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
        assert!(without.clone().all(|claim| {
            ["compute shaders", "software", "energy"].iter().any(|why| claim.why.contains(why))
        }));
        // Counts of other plans hold.
        for (words, counted) in [("Words moved", false), ("twice as many passes", true), ("T(n, k)", true)] {
            let claim = claims.iter().find(|claim| claim.text.contains(words)).unwrap();
            assert_eq!(claim.verdict != Verdict::NotOnThisDevice, counted, "{words}");
        }
    }

    #[test]
    fn an_interrupt_at_any_step_loses_nothing() {
        let device = Device::gl43();
        let whole = run(&device, Effort::Quick);
        let all = whole.cells.len();
        for steps in (0..=all).step_by(17).chain([1, all - 1, all]) {
            let mut store = samples::new(&keys(), &device, Effort::Quick);
            samples::go_on(&mut store, &device, steps);
            assert_eq!((store.cells.len(), store.complete), (steps, steps == all));
            // The rows so far make a page.
            let html = html(&page(&store));
            assert!(html.trim_end().ends_with("</html>"));
            // As it is kept in its file.
            let text = serde_json::to_string(&store).unwrap();
            let again: Store = serde_json::from_str(&text).unwrap();
            let mut again = again.continued_by(&machine(), Effort::Quick, &keys()).unwrap();
            samples::go_on(&mut again, &device, usize::MAX / 2);
            assert_eq!(again, whole, "after {steps} cells");
        }
    }

    /// A process that overruns leaves less time to those after it.
    #[test]
    fn processes_share_the_time_that_is_left() {
        let mut store = samples::new(&keys(), &Device::gl43(), Effort::Quick);
        let plan = plan(&keys(), Effort::Quick, false, true);
        let seconds = |number, left, store: &Store| {
            let process = Process { number, plan: &plan, budget: Duration::from_secs(400) };
            (process.rest(store), process.time(Duration::from_secs(left), store).as_secs_f64().round())
        };
        assert_eq!(seconds(1, 400, &store), (1.0, 200.0));
        samples::go_on(&mut store, &Device::gl43(), plan.len());
        assert_eq!(seconds(2, 100, &store), (0.5, 50.0));
        assert_eq!(seconds(1, 100, &store).1, 0.0, "nothing is left of it");
        samples::go_on(&mut store, &Device::gl43(), plan.len());
        assert_eq!(seconds(3, 30, &store), (0.25, 30.0));
        samples::go_on(&mut store, &Device::gl43(), plan.len());
        assert_eq!(seconds(3, 30, &store), (0.0, 0.0));
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
