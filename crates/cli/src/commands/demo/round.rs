//! A round of the demo: several algorithms on one request, with a table and a document of their results.

use std::cell::RefCell;
use std::time::Duration;

use serde::Serialize;

use rasterscan::tools::problem::{InputInfo, SCAN};
use rasterscan::tools::registry::{self, Choice, Era};
use rasterscan::tools::{Job, Numbers, Request, Task};
use rasterscan_lab::contender::Contender;
use rasterscan_lab::cpu::Cpu;
use rasterscan_lab::measure::Yardstick;

use crate::console::Console;
use crate::device::DeviceOptions;
use crate::document::{self, Counts, RequestFacts, Time};
use crate::engine::Engine;
use crate::outcome::{self, Outcome, RunProtocol, Without};
use rasterscan_drawing::number::grouped;
use rasterscan_lab::table::{self, label, right};

/// The inputs that all rounds share.
pub struct DemoStage<'a> {
    pub engine: &'a Engine,
    pub values: &'a Numbers,
    pub device: &'a DeviceOptions,
    pub console: &'a Console,
    /// `None` where nothing is timed.
    pub yardstick: Option<&'a RefCell<Yardstick>>,
}

/// The results of the algorithms that this device can run.
pub struct DemoRound {
    pub request: Request,
    pub outcomes: Vec<Outcome>,
    /// The errors of those whose results are wrong, or whose shaders do not compile.
    pub failures: Vec<anyhow::Error>,
}

impl DemoRound {
    /// Runs and checks a job with every algorithm of its problem, and after each with its variants in `more`.
    pub fn run(stage: &DemoStage<'_>, job: &[&str], more: &[&str]) -> anyhow::Result<DemoRound> {
        let DemoStage { engine, values, device, console, yardstick } = stage;
        let job = Job::parse(job.iter().copied())?;
        let request = job.request(InputInfo::of(values))?;
        let mut choices = Vec::new();
        for card in registry::of(job.problem) {
            choices.push(card.with_defaults());
            let same = more.iter().filter(|choice| choice.split(':').next() == Some(card.name));
            choices.extend(
                same.map(|choice| Choice::parse(job.problem, choice)).collect::<Result<Vec<_>, _>>()?,
            );
        }
        let task = Task::new(&request, [*values])?;
        let asked = RequestFacts::of(&request);
        let protocol = RunProtocol {
            verify: true,
            // Careful figures are left to the benches: most of the demo's time goes into shaders that the driver has
            // not seen before.
            runs: 5,
            budget: Duration::from_millis(50),
            yardstick: *yardstick,
            asked: &asked,
            reproduce: &|_: &Choice| format!("{} demo{}", crate::console::called(), device.arguments()),
        };
        let bar = console.progress(choices.len());
        let (mut outcomes, mut failures) = (Vec::new(), Vec::new());
        for choice in &choices {
            bar.set_message(choice.to_string());
            // Draws the bar even if the next step takes long.
            bar.tick();
            match outcome::attempt(Some(engine), choice, &task, &protocol)? {
                Ok(outcome) => outcomes.push(outcome),
                Err(Without::Unsupported(reason)) => {
                    bar.suspend(|| console.note(format!("{choice} is left out: {reason}")));
                }
                Err(Without::Failed(error)) => {
                    bar.suspend(|| console.note(format!("{choice} failed: {error}")));
                    failures.push(error);
                }
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(DemoRound { request, outcomes, failures })
    }

    /// A result of the fastest algorithm on the GPU, by its name.
    pub fn best(&self, result: &str) -> Option<&[u32]> {
        let on_gpu = self.outcomes.iter().filter(|outcome| outcome.document.counts.passes > 0);
        let ms = |outcome: &Outcome| outcome.document.time.map_or(f64::INFINITY, |time| time.ms);
        let best = on_gpu.min_by(|a, b| ms(a).total_cmp(&ms(b))).or(self.outcomes.first())?;
        best.results.get(result)?.get().ok()
    }

    /// The speed relative to Horn's algorithm; `None` if that did not run.
    fn against_horn(&self, time: Option<Time>) -> Option<f64> {
        let horn = self.outcomes.iter().find(|outcome| outcome.choice.card.name == "horn")?.document.time?;
        time.filter(|time| time.ms > 0.0).map(|time| horn.ms / time.ms)
    }

    /// The rows of the table: a name, the counts and the time. The CPU has two, named as in `compare`.
    fn rows(&self) -> impl Iterator<Item = (String, Counts, Option<Time>)> {
        self.outcomes.iter().flat_map(|outcome| {
            let counts = outcome.document.counts;
            let all_cores = outcome.document.all_cores.map(|time| (Cpu::Parallel, Some(time)));
            let row = |(cpu, time)| (Contender::Cpu(cpu).name(), counts, time);
            match outcome.choice.card.era {
                Era::Cpu => {
                    [(Cpu::Sequential, outcome.document.time)].into_iter().chain(all_cores).map(row).collect()
                }
                _ => vec![(outcome.label.clone(), counts, outcome.document.time)],
            }
        })
    }

    /// The number of results that were checked.
    pub fn checked(&self) -> usize {
        self.rows().count()
    }

    pub fn table(&self) -> String {
        let scans = *self.request.problem() == *SCAN;
        let mut table = table::plain();
        let has_horn = self.outcomes.iter().any(|outcome| outcome.choice.card.name == "horn");
        let mut header = vec![
            "algorithm".into(),
            right("passes"),
            right(if scans { "adds" } else { "texels written" }),
            right("words moved"),
            right("ms"),
            "clock".into(),
        ];
        // There is no sort of Horn's.
        header.extend(has_horn.then(|| right("against horn")));
        table.set_header(header);
        for (name, counts, time) in self.rows() {
            let speed = self.against_horn(time);
            let mut row = vec![
                label(&name),
                right(counted(counts.passes as u64)),
                right(counted(if scans { counts.adds } else { counts.texels_written })),
                right(grouped(counts.words_moved)),
                right(time.map_or("-".into(), |time| time.marked())),
                time.map_or("-", |time| time.clock).into(),
            ];
            row.extend(has_horn.then(|| right(speed.map_or("-".into(), |speed| format!("{speed:.2} x")))));
            table.add_row(row);
        }
        table::render(table)
    }

    /// Returns true if a time has a mark.
    pub fn is_marked(&self) -> bool {
        self.outcomes.iter().filter_map(|outcome| outcome.document.time).any(|time| time.is_marked())
    }

    pub fn documents(&self) -> Vec<DemoRow<'_>> {
        let rows = self
            .outcomes
            .iter()
            .map(|Outcome { document: run, .. }| DemoRow { run, against_horn: self.against_horn(run.time) });
        rows.collect()
    }
}

/// A count, or a dash if there is nothing to count: the CPU has no passes, buffers have no texels.
fn counted(count: u64) -> String {
    if count == 0 { "-".into() } else { grouped(count) }
}

/// An algorithm in `demo.json`.
#[derive(Debug, Serialize)]
pub struct DemoRow<'a> {
    #[serde(flatten)]
    run: &'a document::Run,
    /// The speed relative to Horn's algorithm; `null` if that did not run.
    against_horn: Option<f64>,
}
