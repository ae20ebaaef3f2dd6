//! The end of a run: its summary, and the document of `--json`.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Context;
use rasterscan::algorithm::results::{Results, Verified};
use rasterscan::device::Clock;
use rasterscan::tools::problem::Output;
use rasterscan::tools::registry::Chosen;
use rasterscan_drawing::number::grouped;
use serde::Serialize;

use super::cut::Cut;
use super::device::Opened;
use super::writer::Writer;
use super::{Chunked, Chunking, many, size, speed};
use crate::document::{self, Gl, Parameters, RequestFacts, ShortResults, Time};
use crate::outcome;

/// A run that is done, and whose files have their names.
pub struct Finished<'w> {
    /// The devices that worked, and why some of them failed, by their numbers.
    pub devices: BTreeMap<usize, Opened>,
    pub failed: BTreeMap<usize, String>,
    /// The algorithm that solved the last pieces, if there were any.
    pub last: Option<Chosen>,
    pub chunk: u64,
    pub pieces: u64,
    pub writer: Writer<'w>,
    pub written: Vec<(Output, u64)>,
    pub took: Duration,
}

impl Chunking<'_> {
    /// Prints the summary of a run, and makes its document.
    ///
    /// Errors: memory.
    pub fn report(&self, cut: &Cut, run: Finished<'_>) -> anyhow::Result<Chunked> {
        let Writer { verified, ref solved, resumed, .. } = run.writer;
        for (number, reason) in &run.failed {
            self.console.warning(format!("device {number} failed, and the others did its pieces: {reason}"));
        }
        let (_, first) = run.devices.first_key_value().context("no device")?;
        let chosen = run.last.as_ref().unwrap_or(&first.chosen);
        let parameters = outcome::parameters(chosen);
        let kept = run.written.first().map(|(_, numbers)| *numbers).filter(|_| cut.is_counted());
        let verified = self.verify.then_some(verified);
        // Without those that an interrupted run had done.
        let now = cut.len.saturating_sub(resumed * run.chunk);
        let kept_text =
            kept.map_or_else(String::new, |kept| format!("{} of {} kept, ", grouped(kept), grouped(cut.len)));
        self.console.summary(
            format!(
                "{}: {}, {:.1?}, {}, {kept_text}{}",
                outcome::label(&chosen.choice, &parameters),
                many(run.pieces, "piece"),
                run.took,
                speed(now as f64 / run.took.as_secs_f64().max(1e-9)),
                outcome::checked(verified)
            ),
            verified,
        );
        let results = cut.results(run.writer.state)?.map(Results::new);
        let device = |(number, device): (&usize, &Opened)| DeviceDocument {
            renderer: device.place.clone(),
            pieces: solved.get(number).copied().unwrap_or(0),
            failed: run.failed.get(number).cloned(),
        };
        let document = ChunkedDocument {
            schema: format!("rasterscan.{}.pieces/1", self.job.problem),
            engine: first.engine,
            gl: first.gl.clone(),
            short: ShortResults::of(results.as_ref(), cut.edges()),
            algorithm: chosen.choice.card.name,
            parameters: document::parameters(&parameters),
            request: RequestFacts::of_job(self.job, &cut.whole),
            chunk: run.chunk,
            pieces: run.pieces,
            resumed,
            devices: run.devices.iter().map(device).collect(),
            verified: verified.is_some_and(Verified::holds),
            unbounded: verified.map_or(0, |verified| verified.unbounded),
            kept,
            time: Time::new(run.took, Clock::Wall, 1, None),
            memory: Some(size::resident()).filter(|bytes| *bytes > 0),
        };
        Ok(Chunked { results, written: run.written, document })
    }
}

/// The document of `--json`.
#[derive(Debug, Serialize)]
pub struct ChunkedDocument {
    schema: String,
    engine: Option<&'static str>,
    gl: Option<Gl>,
    #[serde(flatten)]
    short: ShortResults,
    algorithm: &'static str,
    parameters: Parameters,
    #[serde(flatten)]
    request: RequestFacts,
    /// Numbers in a piece, and pieces in all.
    chunk: u64,
    pieces: u64,
    /// Pieces that an interrupted run had done.
    resumed: u64,
    devices: Vec<DeviceDocument>,
    /// True if every piece was checked against the reference.
    verified: bool,
    unbounded: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<u64>,
    /// All of it: files, transfers and checks, too.
    time: Time,
    /// The most memory that was resident, in bytes; `null` where the system does not tell.
    memory: Option<u64>,
}

/// A device of several.
#[derive(Debug, Serialize)]
struct DeviceDocument {
    renderer: String,
    pieces: u64,
    /// Why it failed; the others then did its pieces.
    failed: Option<String>,
}
