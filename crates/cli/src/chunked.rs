//! Streams longer than a device or memory: a job piece by piece, on one device or several.
//!
//! ```text
//! reader    a piece from the file, or generated                                      stream.rs
//! device    uploaded, run, downloaded: a thread and a context for each               device.rs, worker.rs
//! check     against the reference, with the carry of the pieces before: beside each device
//! writer    in order, to files that appear whole                                     writer.rs, sink.rs, merge.rs, journal.rs
//! ```
//!
//! All of them work at a time, and each has one piece: none is queued. So memory depends on the length of a piece alone
//! (`size.rs`). `cut.rs` says for each problem what goes on from a piece to the next, and `schedule.rs` hands it on.

mod cut;
mod device;
mod document;
mod journal;
mod merge;
mod options;
mod schedule;
mod sink;
mod size;
mod stream;
mod worker;
mod writer;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use rasterscan::algorithm::results::{Results, Verified};
use rasterscan::tools::Task;
use rasterscan::tools::job::{Job, Wanted};
use rasterscan::tools::problem::Output;
use rasterscan_drawing::number::{grouped, significant};

use self::cut::Cut;
use self::device::{OnDevice, Opened};
use self::document::{ChunkedDocument, Finished};
use self::journal::{Entry, Run};
pub use self::options::ChunkOptions;
use self::schedule::Schedule;
pub use self::stream::Stream;
use self::worker::{Check, Done, Worker};
use self::writer::{Checked, Writer};
use crate::console::Console;
use crate::device::DeviceOptions;
use crate::exit::{Usage, WrongResult};
use crate::input::Inputs;
use crate::job;
use crate::output::Destinations;

/// A job that was done piece by piece.
pub struct Chunked {
    /// The results that are short and not written yet: those of a reduction or a histogram.
    pub results: Option<Results>,
    /// Streams that were written, and their lengths in numbers.
    pub written: Vec<(Output, u64)>,
    pub document: ChunkedDocument,
}

/// The settings of a run.
pub struct Chunking<'a> {
    pub job: &'a Job,
    pub verify: bool,
    pub options: &'a ChunkOptions,
    pub to: &'a Destinations<'a>,
    pub device: &'a DeviceOptions,
    pub console: &'a Console,
}

impl Chunking<'_> {
    /// Does the job.
    ///
    /// Errors: what cannot be cut, what a device does not run, both before any number is read; inputs and outputs; a wrong
    /// result.
    pub fn run(&self, inputs: &Inputs<'_>) -> anyhow::Result<Chunked> {
        let Chunking { job, options, console, .. } = self;
        if matches!(job.algorithm, Wanted::All) {
            bail!(Usage("-a all compares algorithms on one stream; of pieces name one, or auto".into()));
        }
        let stream = Stream::open(job)?;
        let info = stream.info();
        let cut = Cut::new(job, info, inputs.beside(info)?)?;
        stream.note(console);
        let mut run = Run {
            version: env!("CARGO_PKG_VERSION").into(),
            job: job.words(),
            input: stream.state,
            n: cut.len,
            chunk: options.chunk.map(|chunk| cut.piece(chunk)),
        };
        let (journal, mut entry) = self.interrupted(&mut run)?;
        let begun = Instant::now();
        let stated = run.chunk;
        let wanted = options.devices(self.device)?;
        let schedule = Schedule::new(&cut);
        let (last, lasts) = channel();
        let worked = thread::scope(|scope| {
            // Whatever happens here, the other threads end.
            let _end = schedule.end();
            let (cut, schedule, devices) = (&cut, &schedule, wanted.len());
            let (open, opening) = channel();
            let (checked, checking) = sync_channel(0);
            for (device, options) in wanted.iter().enumerate() {
                let (done, solved) = sync_channel(0);
                let (open, last, checked) = (open.clone(), last.clone(), checked.clone());
                scope.spawn(move || schedule.guard(|| self.check_all(cut, &solved, &checked)));
                let work = move || {
                    let mut solver = OnDevice::open(job, options, console)?;
                    let piece = size::piece(cut, &solver, devices, stated, self.options.memory())?;
                    let _ = open.send((device, solver.opened(piece, &cut.request(piece, cut.stages() - 1))?));
                    drop(open);
                    Worker { schedule, device, solver: &mut solver, done }.work()?;
                    solver.last().into_iter().for_each(|chosen| drop(last.send((device, chosen))));
                    Ok(())
                };
                scope.spawn(move || schedule.guard(work));
            }
            drop((open, checked));
            let mut opened: BTreeMap<usize, Opened> = opening.into_iter().collect();
            ensure!(opened.len() == devices, "a device did not open");
            options.retain_wanted(&mut opened);
            let chunk = opened.values().map(|device| device.piece).min().context("no device")?;
            run.chunk = Some(chunk);
            let mut writer = Writer::new(cut, self.to, &run, journal, &mut entry)?;
            let pieces = cut.len.div_ceil(chunk);
            let places: Vec<&str> = opened.values().map(|device| device.place.as_str()).collect();
            let done = match writer.resumed {
                0 => String::new(),
                done => format!(", {} of them done", grouped(done)),
            };
            console.note(format!(
                "{}, in {} of {}{done}, on {}",
                cut.whole,
                many(pieces, "piece"),
                grouped(chunk),
                places.join(" and ")
            ));
            writer.show(entry.as_ref().map_or(0, |entry| entry.numbers), console);
            schedule.start(opened.keys().copied(), pieces, writer.resumed, &writer.state);
            scope.spawn(move || schedule.guard(|| stream.read_all(chunk, journal, entry, schedule)));
            writer.write_all(checking, schedule)?;
            Ok((writer, opened, chunk, pieces))
        });
        // Errors of other threads are the reasons of this one's.
        let failed = schedule.failed()?;
        let (mut writer, devices, chunk, pieces) = worked?;
        drop(last);
        let last = lasts.into_iter().min_by_key(|(device, _)| *device).map(|(_, chosen)| chosen);
        // Contexts are gone, and their memory.
        let written = writer.finish(self.options.memory() / 4)?;
        let took = begun.elapsed();
        self.report(&cut, Finished { devices, failed, last, chunk, pieces, writer, written, took })
    }

    /// Where the run keeps its journal, and the last entry of an interrupted one, whose pieces it continues.
    ///
    /// Errors: `--resume` without a file; a journal that cannot be read, or is of another run.
    fn interrupted(&self, run: &mut Run) -> anyhow::Result<(Option<&Path>, Option<Entry>)> {
        if !self.options.resume {
            return Ok((None, None));
        }
        let beside = self.to.beside.iter().map(|(_, file)| file);
        let is_stream = self.to.output.into_iter().chain(beside).any(|file| file.output.is_stream());
        let Some(out) = self.to.output.filter(|_| !is_stream).map(|file| file.output.path()) else {
            bail!(Usage("--resume keeps its journal beside the result: write it to a file, -o FILE".into()));
        };
        let Some((before, entry)) = journal::read(out)? else { return Ok((Some(out), None)) };
        // As long as memory allows may be another length today.
        run.chunk = run.chunk.or(before.chunk);
        journal::check(out, &before, run)?;
        Ok((Some(out), entry))
    }

    /// Checks the pieces of a device until there are no more.
    ///
    /// Errors: [`WrongResult`].
    fn check_all(
        &self,
        cut: &Cut,
        solved: &Receiver<Done>,
        checked: &SyncSender<Checked>,
    ) -> anyhow::Result<()> {
        for Done { place, checks, state, device } in solved {
            let mut verified = Verified { compared: 0, unbounded: 0 };
            let mut results = None;
            for check in checks {
                if self.verify {
                    let one = self.check(cut, place.begin, &check)?;
                    verified.compared += one.compared;
                    verified.unbounded += one.unbounded;
                }
                results = Some(check.answer.results);
            }
            let results = results.context("a piece without results")?;
            if checked.send(Checked { place, results, state, device, verified }).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn check(&self, cut: &Cut, begin: u64, check: &Check) -> anyhow::Result<Verified> {
        let wrong = |mismatch| WrongResult {
            algorithm: format!("the piece from number {} on", grouped(begin)),
            mismatch: Box::new(mismatch),
            command: job::command(self.job, self.device),
        };
        let Check { task, answer, total } = check;
        if let Some(total) = total {
            let input = task.inputs()[0];
            let reduction = cut.total(input.len() as u64).context("a total")?;
            Task::new(&reduction, [input])?.verify(total.depth, &total.results).map_err(wrong)?;
        }
        // Only once, so without keeping the reference.
        Ok(task.request().verify(&task.inputs(), answer.depth, &answer.results).map_err(wrong)?)
    }
}

fn many(count: u64, one: &str) -> String {
    format!("{} {one}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// A speed in numbers a second.
fn speed(numbers: f64) -> String {
    format!("{} million numbers a second", significant(numbers / 1e6))
}
