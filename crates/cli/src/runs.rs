//! Runs a job: by one algorithm, or by every one of its problem.

use std::time::Duration;

use serde::Serialize;

use rasterscan::algorithm::results::Results;
use rasterscan::tools::auto;
use rasterscan::tools::job::Wanted;
use rasterscan::tools::problem::{HISTOGRAM, REDUCE};
use rasterscan::tools::registry::{self, Chosen};
use rasterscan::tools::{Job, Request, Task};
use rasterscan_drawing::number::{grouped, milliseconds};

use super::console::Console;
use super::device::DeviceOptions;
use super::document::{self, Gl, RequestFacts, ShortResults, Time};
use super::engine::Engine;
use super::job;
use super::outcome::{self, Outcome, RunProtocol, Without};

/// The settings of a run, without its numbers.
pub struct Runs<'a> {
    pub job: &'a Job,
    /// True if the result is checked against the reference.
    pub verify: bool,
    pub device: &'a DeviceOptions,
    pub console: &'a Console,
    /// `None` if the algorithm needs none: it is the CPU's.
    pub engine: Option<&'a Engine>,
}

/// The result of a command.
pub struct Solved {
    /// The stream for OUT first, then the indices.
    pub results: Option<Results>,
    pub document: SolveDocument,
    /// The error of algorithms that failed while others did not.
    pub failure: anyhow::Result<()>,
}

impl Runs<'_> {
    /// Runs the job by an algorithm with its plan; by all of its problem if none is `chosen`.
    pub fn answer(&self, task: &Task<'_>, chosen: Option<Chosen>) -> anyhow::Result<Solved> {
        let request = task.request();
        // A rough figure: a user who wants the result does not wait for a GPU to wake up.
        let budget = Duration::from_millis(100);
        let protocol = RunProtocol {
            verify: self.verify,
            runs: 5,
            budget,
            yardstick: None,
            asked: &RequestFacts::of_job(self.job, request),
            reproduce: &|choice| job::command(&self.job.clone().by(choice.clone()), self.device),
        };
        let chosen = match (chosen, self.engine) {
            (None, _) => return self.run_all(task, &protocol),
            (made, Some(Engine::Gl(gpu))) if self.job.algorithm == Wanted::Auto => {
                auto::choose(gpu, request, made, || Task::new(request, task.inputs()))?
            }
            (Some(chosen), _) => chosen,
        };
        let outcome = outcome::run(self.engine, &chosen, task, &protocol)?;
        self.console.summary(summary(&outcome, request), outcome.verified);
        let Outcome { results, document, .. } = outcome;
        let document = self.document(task, Some(&results), SolveRuns::One(Box::new(document)));
        Ok(Solved { results: Some(results), document, failure: Ok(()) })
    }

    /// Runs all algorithms of the problem. The result is that of `auto`, or of the first that is right if that one is not.
    fn run_all(&self, task: &Task<'_>, protocol: &RunProtocol<'_>) -> anyhow::Result<Solved> {
        let request = task.request();
        let auto = self.engine.and_then(|engine| registry::auto(request, engine.device()).ok());
        let auto = auto.map_or("sequential", |auto| auto.choice.card.name);
        let mut result: Option<Results> = None;
        let mut runs = Vec::new();
        let (mut skipped, mut failed, mut failures) = (Vec::new(), Vec::new(), Vec::new());
        for card in registry::of(request.problem()) {
            match outcome::attempt(self.engine, &card.with_defaults(), task, protocol)? {
                Ok(outcome) => {
                    self.console.summary(summary(&outcome, request), outcome.verified);
                    runs.push(outcome.document);
                    if result.is_none() || card.name == auto {
                        result = Some(outcome.results);
                    }
                }
                Err(Without::Unsupported(reason)) => {
                    self.console.note(format!("{} is left out: {reason}", card.name));
                    skipped.push(Skipped { algorithm: card.name, reason: reason.to_string() });
                }
                Err(Without::Failed(error)) => {
                    self.console.note(format!("{} failed: {error}", card.name));
                    failed.push(Skipped { algorithm: card.name, reason: error.to_string() });
                    failures.push(error);
                }
            }
        }
        let all = SolveRuns::All {
            algorithm: "all",
            request: protocol.asked.clone(),
            verified: failed.is_empty() && runs.iter().all(|run| run.verified),
            kept: result.as_ref().and_then(Results::count),
            runs,
            skipped,
            failed,
        };
        let document = self.document(task, result.as_ref(), all);
        let failure = outcome::none_failed(failures, registry::of(request.problem()).count());
        Ok(Solved { results: result, document, failure })
    }

    fn document(&self, task: &Task<'_>, results: Option<&Results>, runs: SolveRuns) -> SolveDocument {
        let problem = task.request().problem();
        let is_histogram = *problem == *HISTOGRAM;
        // They have a few numbers, which are what was asked for; other results are as long as the input.
        let results = results.filter(|_| is_histogram || *problem == *REDUCE);
        SolveDocument {
            schema: format!("rasterscan.{problem}/1"),
            engine: self.engine.map(Engine::name),
            gl: self.engine.and_then(Engine::document),
            short: ShortResults::of(results, is_histogram.then(|| task.inputs()[1])),
            runs,
        }
    }
}

fn summary(outcome: &Outcome, request: &Request) -> String {
    let passes = match outcome.document.counts.passes {
        0 => String::new(),
        1 => "1 pass, ".into(),
        passes => format!("{passes} passes, "),
    };
    let kept = match outcome.results.count() {
        None => String::new(),
        Some(segments) if *request.problem() == *REDUCE => {
            format!("{} segments, ", grouped(segments))
        }
        Some(kept) => format!("{} of {} kept, ", grouped(kept), grouped(request.len())),
    };
    let verified = outcome::checked(outcome.verified);
    format!("{}: {passes}{}, {kept}{verified}", outcome.label, timed(outcome))
}

/// The times of a run as text.
fn timed(outcome: &Outcome) -> String {
    let runs = |time: &Time| match time.runs {
        1 => "run".into(),
        runs => format!("{runs} runs"),
    };
    match (&outcome.document.time, &outcome.document.all_cores) {
        (None, _) => outcome.untimed.into(),
        (Some(one), Some(all)) => {
            let [one_ms, all_ms] = [one, all].map(|time| milliseconds(time.ms));
            format!("{one_ms} ms in one loop, {all_ms} ms on all cores ({} clock)", one.clock)
        }
        // A rested device is several times slower in its first runs than later.
        (Some(one), None) => {
            format!("{} ms in its first {} ({} clock)", milliseconds(one.ms), runs(one), one.clock)
        }
    }
}

/// The document of `--json`.
#[derive(Debug, Serialize)]
pub struct SolveDocument {
    schema: String,
    /// `gl`, `kernels`, or `null` if the algorithm needed none.
    engine: Option<&'static str>,
    /// `null` without OpenGL.
    gl: Option<Gl>,
    #[serde(flatten)]
    short: ShortResults,
    #[serde(flatten)]
    runs: SolveRuns,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum SolveRuns {
    One(Box<document::Run>),
    All {
        algorithm: &'static str,
        #[serde(flatten)]
        request: RequestFacts,
        verified: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        kept: Option<u64>,
        runs: Vec<document::Run>,
        skipped: Vec<Skipped>,
        /// Algorithms whose result is wrong, or whose shaders do not compile.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        failed: Vec<Skipped>,
    },
}

/// An algorithm without a result, and why.
#[derive(Debug, Serialize)]
struct Skipped {
    algorithm: &'static str,
    reason: String,
}
