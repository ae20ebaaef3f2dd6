//! A call's algorithms, run: one of them, or every one of the family.

use std::time::Duration;

use serde::Serialize;

use rasterscan::registry::{self, Choice};
use rasterscan::{Element, Gpu, Request};

use super::{Answer, Call, Named, Wanted};
use crate::document::{self, Gl};
use crate::input::Input;
use crate::runner::{self, Outcome, Protocol, Results, Task};
use rasterscan_files::Numbers;
use rasterscan_lab::number::{grouped, milliseconds};

/// All of a call but its numbers.
pub struct Runs<'a> {
    pub call: &'a Call<'a>,
    pub input: &'a Input,
    pub request: Request,
    pub gpu: Option<&'a Gpu>,
}

impl Runs<'_> {
    pub fn answer<T: Element>(&self, values: &[T]) -> anyhow::Result<Answer>
    where
        Numbers: From<Vec<T>>,
    {
        let task = Task::new(&self.request, values, self.call.ask.mask, !self.call.ask.given.no_verify)?;
        let auto = || match self.gpu {
            Some(gpu) => registry::auto(&self.request, gpu.device()),
            None => registry::sequential(self.call.ask.family),
        };
        let choice = match self.call.ask.wanted {
            Wanted::All => return self.run_all(&auto(), &task),
            Wanted::Auto => auto(),
            Wanted::One(choice) => choice.clone(),
        };
        let command = |choice: &Choice| self.command(choice);
        let outcome = runner::run(self.gpu, &choice, &task, &protocol(&command))?;
        self.call.console.summary(summary(&outcome, &self.request), outcome.verified);
        let run = Ran::One(outcome.document(&self.request));
        Ok(Answer { streams: streams(outcome.results), document: self.document(run) })
    }

    /// Runs the whole family. The result is that of `auto`, or of the first where that cannot run.
    fn run_all<T: Element>(&self, auto: &Choice, task: &Task<'_, T>) -> anyhow::Result<Answer>
    where
        Numbers: From<Vec<T>>,
    {
        let mut result: Option<Results<T>> = None;
        let mut runs = Vec::new();
        let mut skipped = Vec::new();
        let command = |choice: &Choice| self.command(choice);
        let protocol = protocol(&command);
        for card in registry::family(self.call.ask.family) {
            match runner::attempt(self.gpu, &card.with_defaults(), task, &protocol)? {
                Ok(outcome) => {
                    self.call.console.summary(summary(&outcome, &self.request), outcome.verified);
                    runs.push(outcome.document(&self.request));
                    if result.is_none() || card.name == auto.card.name {
                        result = Some(outcome.results);
                    }
                }
                Err(reason) => {
                    self.call.console.note(format!("{}: left out, {reason}", card.name));
                    skipped.push(Skipped { algorithm: card.name, reason: reason.to_string() });
                }
            }
        }
        let all = Ran::All {
            algorithm: "all",
            request: document::Asked::of(&self.request),
            verified: runs.iter().all(|run| run.verified),
            kept: result.as_ref().and_then(|result| result.kept),
            runs,
            skipped,
        };
        Ok(Answer { streams: result.map_or(Vec::new(), streams), document: self.document(all) })
    }

    fn document(&self, runs: Ran) -> Document {
        Document {
            schema: format!("rasterscan.{}/1", self.call.ask.family.name()),
            gl: self.gpu.map(|gpu| Gl::of(gpu.device())),
            runs,
        }
    }

    /// The command that runs this choice on this input.
    fn command(&self, choice: &Choice) -> String {
        self.call.ask.command(self.input, choice, self.call.device)
    }
}

fn protocol(reproduce: &dyn Fn(&Choice) -> String) -> Protocol<'_> {
    // A figure in passing: a user who wants the numbers does not wait until a GPU is awake.
    Protocol { runs: 5, budget: Duration::from_millis(100), yardstick: None, reproduce }
}

fn streams<T>(results: Results<T>) -> Vec<Named>
where
    Numbers: From<Vec<T>>,
{
    let values = results.values.map(|values| Named { name: "values", numbers: values.into() });
    let indices = results.indices.map(|indices| Named { name: "indices", numbers: indices.into() });
    values.into_iter().chain(indices).collect()
}

fn summary<T>(outcome: &Outcome<T>, request: &Request) -> String {
    let passes = match outcome.counts.passes {
        0 => String::new(),
        1 => "1 pass, ".into(),
        passes => format!("{passes} passes, "),
    };
    let kept = match outcome.results.kept {
        None => String::new(),
        Some(kept) => format!("{} of {} kept, ", grouped(kept), grouped(request.len())),
    };
    let verified = match outcome.verified {
        None => "not verified".into(),
        Some(verified) if verified.unbounded > 0 => {
            format!(
                "{} {} of {} cannot be checked (overflow or NaN)",
                if runner::holds(verified) { "verified, but" } else { "not verified:" },
                grouped(verified.unbounded),
                grouped(verified.compared + verified.unbounded)
            )
        }
        Some(_) => "verified".into(),
    };
    // A device that has rested is several times slower in these than later.
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

/// What `--json` prints.
#[derive(Debug, Serialize)]
pub struct Document {
    schema: String,
    /// `null` where the algorithm needed no device and there is none.
    gl: Option<Gl>,
    #[serde(flatten)]
    runs: Ran,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Ran {
    One(document::Run),
    All {
        algorithm: &'static str,
        #[serde(flatten)]
        request: document::Asked,
        verified: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        kept: Option<u64>,
        runs: Vec<document::Run>,
        skipped: Vec<Skipped>,
    },
}

/// An algorithm that this device or this request rules out.
#[derive(Debug, Serialize)]
struct Skipped {
    algorithm: &'static str,
    reason: String,
}
