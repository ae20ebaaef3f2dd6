//! Runs a job: by one algorithm, or by every one of its problem.

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use rasterscan::auto;
use rasterscan::job::Wanted;
use rasterscan::problem::REDUCE;
use rasterscan::registry::{self, Choice, Chosen};
use rasterscan::results::Results;
use rasterscan::{Request, Task};
use rasterscan_drawing::number::{grouped, milliseconds};

use super::console::Console;
use super::device::DeviceOptions;
use super::document::{self, Gl, RequestFacts, Time};
use super::engine::Engine;
use super::job::{GivenJob, LoadedJob};
use super::outcome::{self, Outcome, RunProtocol, Times, Without};

/// The settings of a run, without its numbers.
pub struct Runs<'a> {
    pub given: &'a GivenJob,
    pub device: &'a DeviceOptions,
    pub console: &'a Console,
    /// `None` if the algorithm needs none.
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
    /// Runs the job; `made` is its algorithm with its plan, if it was chosen before.
    pub fn answer(&self, loaded: &LoadedJob, made: Option<Chosen>) -> anyhow::Result<Solved> {
        let LoadedJob { request, streams } = loaded;
        let task = Task::new(request, streams)?;
        let job = &self.given.job;
        let chosen = match (&job.algorithm, self.engine) {
            (Wanted::All, engine) => {
                let auto = engine.and_then(|engine| registry::auto(request, engine.device()).ok());
                let name = auto.map_or("sequential", |auto| auto.choice.card.name);
                return self.run_all(name, &task);
            }
            (Wanted::Auto, None) => Chosen { choice: registry::sequential(request.problem()), plan: None },
            (Wanted::Auto, Some(Engine::Gl(gpu))) => {
                auto::choose(gpu, request, made, || Ok(streams.clone()))?
            }
            (Wanted::Auto, Some(engine)) => made.map_or_else(|| job.choose(request, engine.device()), Ok)?,
            (Wanted::Algorithm(choice), engine) => match made {
                Some(made) => made,
                None => outcome::chosen(engine, choice, request)?,
            },
        };
        let command = |choice: &Choice| self.given.command(choice, self.device);
        let outcome = outcome::run(self.engine, &chosen, &task, &self.protocol(&command))?;
        self.console.summary(summary(&outcome, request), outcome.verified);
        let run = SolveRuns::One(Box::new(outcome.document(self.asked(request))));
        let document = self.document(request, Some(&outcome.results), run);
        Ok(Solved { results: Some(outcome.results), document, failure: Ok(()) })
    }

    /// Runs all algorithms of the problem. The result is that of `auto`, or of the first that is right if that one is not.
    fn run_all(&self, auto: &str, task: &Task<'_>) -> anyhow::Result<Solved> {
        let request = task.request();
        let mut result: Option<Results> = None;
        let mut runs = Vec::new();
        let (mut skipped, mut failed, mut failures) = (Vec::new(), Vec::new(), Vec::new());
        let command = |choice: &Choice| self.given.command(choice, self.device);
        let protocol = self.protocol(&command);
        for card in registry::of(request.problem()) {
            match outcome::attempt(self.engine, &card.with_defaults(), task, &protocol)? {
                Ok(outcome) => {
                    self.console.summary(summary(&outcome, request), outcome.verified);
                    runs.push(outcome.document(self.asked(request)));
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
            request: self.asked(request),
            verified: failed.is_empty() && runs.iter().all(|run| run.verified),
            kept: result.as_ref().and_then(Results::count),
            runs,
            skipped,
            failed,
        };
        let document = self.document(request, result.as_ref(), all);
        let failure = outcome::none_failed(failures, registry::of(request.problem()).count());
        Ok(Solved { results: result, document, failure })
    }

    fn asked(&self, request: &Request) -> RequestFacts {
        RequestFacts::of_job(&self.given.job, request)
    }

    fn document(&self, request: &Request, results: Option<&Results>, runs: SolveRuns) -> SolveDocument {
        // A reduction has a few numbers, and they are what was asked for.
        let reduced =
            results.filter(|_| *request.problem() == *REDUCE).and_then(|results| results.get("values"));
        SolveDocument {
            schema: format!("rasterscan.{}/1", request.problem()),
            engine: self.engine.map(Engine::name),
            gl: self.engine.and_then(Engine::document),
            result: reduced.map(document::numbers),
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
    format!("{}: {passes}{}, {kept}{verified}", outcome.label(), timed(&outcome.times))
}

/// The times of a run as text.
fn timed(times: &Times) -> String {
    let runs = |time: &Time| match time.runs {
        1 => "run".into(),
        runs => format!("{runs} runs"),
    };
    match (&times.one, &times.all_cores) {
        (None, _) => times.untimed.into(),
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
    /// Reductions: the numbers; NaN and infinities as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Vec<Value>>,
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
