//! Runs a job: by one algorithm, or by every one of its problem.

use std::time::Duration;

use serde::Serialize;

use rasterscan::auto;
use rasterscan::job::Wanted;
use rasterscan::registry::{self, Choice};
use rasterscan::results::Results;
use rasterscan::{Gpu, Request, Task};
use rasterscan_picture::number::{grouped, milliseconds};

use super::console::Console;
use super::device::DeviceOptions;
use super::document::{self, Gl};
use super::job::{GivenJob, LoadedJob};
use super::outcome::{self, Outcome, RunProtocol, Without};

/// The settings of a run, without its numbers.
pub struct Runs<'a> {
    pub given: &'a GivenJob,
    pub device: &'a DeviceOptions,
    pub console: &'a Console,
    pub gpu: Option<&'a Gpu>,
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
    pub fn answer(&self, loaded: &LoadedJob) -> anyhow::Result<Solved> {
        let LoadedJob { request, streams } = loaded;
        let task = Task::new(request, streams)?;
        let auto = || match self.gpu {
            Some(gpu) => registry::auto(request, gpu.device()),
            None => registry::sequential(request.problem()),
        };
        let choice = match &self.given.job.algorithm {
            Wanted::All => return self.run_all(&auto(), &task),
            Wanted::Auto => match self.gpu {
                Some(gpu) => auto::choose(gpu, request, || Ok(streams.clone()))?,
                None => auto(),
            },
            Wanted::One(choice) => choice.clone(),
        };
        let command = |choice: &Choice| self.given.command(choice, self.device);
        let outcome = outcome::run(self.gpu, &choice, &task, &self.protocol(&command))?;
        self.console.summary(summary(&outcome, request), outcome.verified);
        let run = SolveRuns::One(Box::new(outcome.document(request)));
        let (document, results) = (self.document(request, run), Some(outcome.results));
        Ok(Solved { results, document, failure: Ok(()) })
    }

    /// Runs all algorithms of the problem. The result is that of `auto`, or of the first that is right if that one is not.
    fn run_all(&self, auto: &Choice, task: &Task<'_>) -> anyhow::Result<Solved> {
        let request = task.request();
        let mut result: Option<Results> = None;
        let mut runs = Vec::new();
        let (mut skipped, mut failed, mut failures) = (Vec::new(), Vec::new(), Vec::new());
        let command = |choice: &Choice| self.given.command(choice, self.device);
        let protocol = self.protocol(&command);
        for card in registry::of(request.problem()) {
            match outcome::attempt(self.gpu, &card.with_defaults(), task, &protocol)? {
                Ok(outcome) => {
                    self.console.summary(summary(&outcome, request), outcome.verified);
                    runs.push(outcome.document(request));
                    if result.is_none() || card.name == auto.card.name {
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
            request: document::Asked::of(request),
            verified: failed.is_empty() && runs.iter().all(|run| run.verified),
            kept: result.as_ref().and_then(Results::count),
            runs,
            skipped,
            failed,
        };
        let failure = outcome::none_failed(failures, registry::of(request.problem()).count());
        Ok(Solved { results: result, document: self.document(request, all), failure })
    }

    fn document(&self, request: &Request, runs: SolveRuns) -> SolveDocument {
        SolveDocument {
            schema: format!("rasterscan.{}/1", request.problem()),
            gl: self.gpu.map(|gpu| Gl::of(gpu.device())),
            runs,
        }
    }

    fn protocol<'p>(&self, reproduce: &'p dyn Fn(&Choice) -> String) -> RunProtocol<'p> {
        // A rough figure: a user who wants the result does not wait for a GPU to wake up.
        let budget = Duration::from_millis(100);
        RunProtocol { verify: self.given.verify, runs: 5, budget, yardstick: None, reproduce }
    }
}

fn summary(outcome: &Outcome, request: &Request) -> String {
    let passes = match outcome.counts.passes {
        0 => String::new(),
        1 => "1 pass, ".into(),
        passes => format!("{passes} passes, "),
    };
    let kept = match outcome.results.count() {
        None => String::new(),
        Some(kept) => format!("{} of {} kept, ", grouped(kept), grouped(request.len())),
    };
    let verified = match outcome.verified {
        None => "not verified".into(),
        Some(verified) if verified.unbounded > 0 => {
            format!(
                "{} {} of {} cannot be checked (overflow or NaN)",
                if verified.holds() { "verified, but" } else { "not verified:" },
                grouped(verified.unbounded),
                grouped(verified.compared + verified.unbounded)
            )
        }
        Some(_) => "verified".into(),
    };
    // A rested device is several times slower in its first runs than later.
    let runs = match outcome.time.runs {
        1 => "run".into(),
        runs => format!("{runs} runs"),
    };
    format!(
        "{}: {passes}{} ms in its first {runs} ({} clock), {kept}{verified}",
        outcome.label(),
        milliseconds(outcome.time.ms),
        outcome.time.clock
    )
}

/// The document of `--json`.
#[derive(Debug, Serialize)]
pub struct SolveDocument {
    schema: String,
    /// `null` if the algorithm needed no device.
    gl: Option<Gl>,
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
        request: document::Asked,
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
