//! Streams longer than a device or memory: a job piece by piece, on one device or several.
//!
//! ```text
//! reader    a piece from the file, or generated                                      stream.rs
//! device    uploaded, run, downloaded: a thread and a context for each               workers.rs, device.rs
//! check     against the reference, with the carry of the pieces before
//! writer    in order, to files that appear whole                                     sink.rs, merge.rs, journal.rs
//! ```
//!
//! All of them work at a time, and each has one piece: none is queued. So memory depends on the length of a piece alone
//! (`size.rs`). `cut.rs` says for each problem what goes on from a piece to the next.

mod cut;
mod device;
mod journal;
mod merge;
mod sink;
mod size;
mod stream;
mod workers;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;

use rasterscan::algorithm::results::{Results, Verified};
use rasterscan::device::Clock;
use rasterscan::gl::DeviceChoice;
use rasterscan::tools::job::{Job, Wanted};
use rasterscan::tools::printable::printable_path;
use rasterscan::tools::problem::Output;
use rasterscan::tools::registry::Choice;
use rasterscan::tools::{Task, output};
use rasterscan::{Gpu, SortSpec};
use rasterscan_drawing::number::grouped;
use rasterscan_files::Format;

use self::cut::{Cut, State};
use self::device::{Facts, OnDevice};
use self::journal::{Entry, Journal, Run};
use self::merge::Runs;
use self::sink::Sink;
use self::stream::Digest;
pub use self::stream::Stream;
use self::workers::{Check, Done, Piece, Workers};
use crate::console::{self, Console};
use crate::device::DeviceOptions;
use crate::document::{self, Gl, Parameters, RequestFacts, Time};
use crate::exit::{Usage, WrongResult};
use crate::input::Inputs;
use crate::job;
use crate::outcome;
use crate::output::NumbersFile;

/// Options of a job that is done piece by piece.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Streams longer than a device or memory")]
pub struct ChunkOptions {
    /// Read, solve, check and write pieces of this many numbers, such as 2^26; the input is a .npy or .bin file, or generated
    #[arg(long, value_name = "N", value_parser = size::length, conflicts_with = "memory")]
    chunk: Option<u64>,
    /// The same, with pieces as long as this much memory allows, such as 800M; it holds whatever the length of the input is
    #[arg(long, value_name = "SIZE", value_parser = size::bytes)]
    memory: Option<u64>,
    /// The same, on several devices of this machine: their numbers in `info`, such as 0,1, or all
    #[arg(long, value_name = "LIST", value_parser = devices)]
    devices: Option<Devices>,
    /// The same; when interrupted, keep what is done in OUT.part and OUT.journal, and go on from there the next time
    #[arg(long)]
    resume: bool,
}

/// Devices of this machine.
#[derive(Debug, Clone)]
enum Devices {
    All,
    These(Vec<usize>),
}

/// Reads a list of devices.
fn devices(text: &str) -> Result<Devices, String> {
    let numbers = || text.split(',').map(|number| number.parse().ok()).collect::<Option<Vec<usize>>>();
    match text {
        "all" => Ok(Devices::All),
        _ => numbers().map(Devices::These).ok_or_else(|| "expected numbers such as 0,1, or all".into()),
    }
}

impl ChunkOptions {
    /// Returns true if any is given.
    pub fn are_given(&self) -> bool {
        self.chunk.is_some() || self.memory.is_some() || self.devices.is_some() || self.resume
    }

    /// The devices to open.
    fn open(&self, device: &DeviceOptions) -> anyhow::Result<Vec<DeviceOptions>> {
        let numbers = match &self.devices {
            None => return Ok(vec![device.clone()]),
            Some(_) if device.cpu => {
                bail!(Usage("--devices are GL devices, and --device cpu is none".into()))
            }
            Some(Devices::These(numbers)) => numbers.clone(),
            Some(Devices::All) => (0..Gpu::device_count()?.max(1)).collect(),
        };
        let one = |index: usize| DeviceOptions {
            device: DeviceChoice::Index(index),
            named: true,
            ..device.clone()
        };
        Ok(numbers.into_iter().map(one).collect())
    }
}

/// The destinations of results.
#[derive(Clone)]
pub struct Destinations<'a> {
    /// OUT; without one, standard output.
    pub output: Option<&'a NumbersFile>,
    /// Files of the streams beside the first one, by their names.
    pub beside: &'a [(&'static str, NumbersFile)],
    /// The format of standard output; `None` if nothing but a document goes there.
    pub stdout: Option<Format>,
}

impl Destinations<'_> {
    /// The file of a stream, by its number and name.
    pub fn file(&self, number: usize, stream: &Output) -> Option<&NumbersFile> {
        match number {
            0 => self.output,
            _ => self.beside.iter().find(|(name, _)| *name == stream.name).map(|(_, file)| file),
        }
    }
}

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
    pub to: Destinations<'a>,
    pub device: &'a DeviceOptions,
    pub console: &'a Console,
}

/// A device that is open: the length of its pieces, and its facts.
type Ready = (usize, anyhow::Result<(u64, Facts, Choice)>);

/// The algorithm of a device, and its parameters in its last plan.
type By = (Choice, Vec<(&'static str, String)>);

/// The start of the work of a device.
struct Go<'c> {
    workers: Arc<Workers<'c>>,
    pieces: Arc<Mutex<Receiver<Piece>>>,
    done: SyncSender<Done>,
}

/// A piece that was checked.
struct Checked {
    index: u64,
    at: u64,
    digest: Digest,
    numbers: u64,
    results: Results,
    state: State,
    device: usize,
    verified: Verified,
}

impl Chunking<'_> {
    /// Does the job.
    ///
    /// Errors: what cannot be cut, what a device does not run, both before any number is read; inputs and outputs; a wrong
    /// result.
    pub fn run(&self, inputs: &Inputs<'_>) -> anyhow::Result<Chunked> {
        let Chunking { job, options, device, console, .. } = self;
        if matches!(job.algorithm, Wanted::All) {
            bail!(Usage("-a all compares algorithms on one stream; of pieces name one, or auto".into()));
        }
        let stream = Stream::open(job)?;
        let info = stream.info();
        let cut = Cut::new(job, info, inputs.beside(info)?)?;
        stream.note(console);
        let begun = Instant::now();
        let opened = options.open(device)?;
        let solved = thread::scope(|scope| {
            let (ready, opening) = channel::<Ready>();
            let (mut starts, mut threads) = (Vec::new(), Vec::new());
            let size = (info.len, job.whole());
            for (number, one) in opened.iter().enumerate() {
                let (ready, (start, go)) = (ready.clone(), channel::<Go<'_>>());
                starts.push(start);
                let (cut, devices) = (&cut, opened.len());
                threads.push(scope.spawn(move || {
                    let memory = options.memory.unwrap_or(size::MEMORY);
                    let open = || {
                        let solver = OnDevice::open(job, one, console)?;
                        let piece = size::pieces(cut, size, &solver, devices, options.chunk, memory)?;
                        let choice = solver.choose(&cut.request(piece, cut.stages() - 1))?.choice;
                        Ok((solver, piece, choice))
                    };
                    let mut solver = match open() {
                        Ok((solver, piece, choice)) => {
                            let _ = ready.send((number, Ok((piece, solver.facts(), choice))));
                            solver
                        }
                        Err(error) => {
                            let _ = ready.send((number, Err(error)));
                            return Ok(None);
                        }
                    };
                    drop(ready);
                    // Without a start, the run has failed elsewhere, or needs this device not.
                    let Ok(Go { workers, pieces, done }) = go.recv() else { return Ok(None) };
                    workers.work(number, &mut solver, &pieces, &done)?;
                    anyhow::Ok(solver.by())
                }));
            }
            drop(ready);
            let ready: Vec<Ready> = opening.into_iter().collect();
            let result = self.work(scope, &cut, stream, ready, starts);
            // Errors of what comes first in the pipeline are the reasons of the others.
            let mut by = None;
            for thread in threads {
                by = by.or(joined(thread.join())?);
            }
            result.map(|work| (work, by))
        });
        let (work, by) = solved?;
        self.finish(&cut, work, by, begun.elapsed())
    }
}

/// The work that is done, before files have their names.
struct Work {
    /// The facts of devices, by their numbers in the list.
    facts: Vec<(usize, Facts)>,
    choice: Choice,
    chunk: u64,
    pieces: u64,
    /// Pieces that an interrupted run had done.
    resumed: u64,
    /// Pieces of each device.
    solved: Vec<u64>,
    failed: Vec<(usize, String)>,
    verified: Verified,
    state: State,
    sinks: Vec<Sink>,
    journal: Option<Journal>,
}

/// The state of the writer.
struct Writer<'w> {
    cut: &'w Cut,
    sinks: Vec<Sink>,
    runs: Option<Runs>,
    journal: Option<Journal>,
    state: State,
    verified: Verified,
    solved: Vec<u64>,
}

impl Chunking<'_> {
    /// Reads, solves, checks and writes all pieces on devices that are ready.
    fn work<'s, 'e: 's>(
        &'e self,
        scope: &'s thread::Scope<'s, 'e>,
        cut: &'e Cut,
        stream: Stream,
        mut ready: Vec<Ready>,
        mut starts: Vec<Sender<Go<'e>>>,
    ) -> anyhow::Result<Work> {
        ready.sort_by_key(|(number, _)| *number);
        let mut open = Vec::new();
        for (number, one) in ready {
            open.push((number, one?));
        }
        if matches!(self.options.devices, Some(Devices::All))
            && open.iter().any(|(_, (_, facts, _))| !facts.software)
        {
            open.retain(|(_, (_, facts, _))| !facts.software);
        }
        let (_, (_, _, choice)) = open.first().context("no device")?;
        let choice = choice.clone();
        let len = stream.info().len;
        let run = |chunk| Run {
            version: env!("CARGO_PKG_VERSION").into(),
            job: self.job.words(),
            input: stream.state,
            n: len,
            chunk,
        };
        let before = self.interrupted()?;
        let shortest = open.iter().map(|(_, (piece, ..))| *piece).min().unwrap_or(1).max(1);
        let chunk = match &before {
            // As long as memory allows may be another length today.
            Some((before, _)) if self.options.chunk.is_none() => before.chunk,
            _ => shortest,
        };
        let run = run(chunk);
        if let (Some((before, _)), Some(out)) = (&before, self.to.output) {
            journal::check(out.output.path(), before, &run)?;
        }
        let pieces = len.div_ceil(chunk);
        let mut entry = before.and_then(|(_, entry)| entry);
        let sinks = self.sinks(cut, len, &mut entry)?;
        let out = self.to.output.map(|file| file.output.path().to_owned());
        let journal = match (&out, self.options.resume) {
            (Some(out), true) => Some(Journal::open(out, &run, entry.as_ref())?),
            _ => None,
        };
        let runs = match cut.whole.get::<SortSpec>() {
            Some(spec) => {
                let folder =
                    out.as_deref().map_or_else(std::env::temp_dir, |out| output::folder_of(out).to_owned());
                let has_indices = cut.whole.outputs().iter().any(|output| output.name == "indices");
                Some(Runs::new(spec, &folder, has_indices)?)
            }
            None => None,
        };
        let resumed = entry.as_ref().map_or(0, |entry| entry.pieces);
        let state = entry.as_ref().map_or_else(|| cut.first(), |entry| Ok(entry.state.clone()))?;
        let workers = Arc::new(Workers::new(cut, pieces, resumed, &state, open.len()));
        let (place, place_of_reader) = (workers.clone(), workers.clone());

        self.console.note(format!(
            "{}, in {} of {}, on {}",
            cut.whole,
            many(pieces, "piece"),
            grouped(chunk),
            places(&open)
        ));
        let (filled, read) = sync_channel::<Piece>(0);
        let (done, solving) = sync_channel::<Done>(0);
        let (right, checking) = sync_channel::<Checked>(0);
        let read = Arc::new(Mutex::new(read));
        for (number, _) in &open {
            let go = Go { workers: workers.clone(), pieces: read.clone(), done: done.clone() };
            let _ = starts[*number].send(go);
        }
        // Those that are not needed end.
        starts.clear();
        drop((read, done));
        let digests = journal.is_some();
        let (first, out_of_reader) = (entry.clone(), out);
        let reader = scope.spawn(move || {
            let result = read_all(stream, chunk, first, out_of_reader, digests, &filled);
            if result.is_err() {
                place_of_reader.stop();
            }
            result
        });
        let solving = Arc::new(Mutex::new(solving));
        let checks: Vec<_> = open
            .iter()
            .map(|_| {
                let (solving, right, workers) = (solving.clone(), right.clone(), workers.clone());
                scope.spawn(move || {
                    let result = self.check_all(cut, &solving, &right);
                    if result.is_err() {
                        workers.stop();
                    }
                    result
                })
            })
            .collect();
        drop((solving, right, workers));
        let bar = self.bar(len, if runs.is_some() { 2 } else { 1 });
        let counts = vec![0; open.last().map_or(0, |(number, _)| number + 1)];
        let none = Verified { compared: 0, unbounded: 0 };
        let mut writer = Writer { cut, sinks, runs, journal, state, verified: none, solved: counts };
        let written = writer.write_all(resumed, checking, &place, &bar);
        // All who wait for the writer end.
        place.stop();
        joined(reader.join())?;
        for check in checks {
            joined(check.join())?;
        }
        let done = written?;
        let failed = place.failed();
        for (number, reason) in &failed {
            self.console.warning(format!("device {number} failed, and the others did its pieces: {reason}"));
        }
        if done == pieces {
            let memory = self.options.memory.unwrap_or(size::MEMORY) / 4;
            writer.merge(memory, &bar)?;
        }
        bar.finish_and_clear();
        let Writer { sinks, journal, state, verified, solved, .. } = writer;
        let facts = open.into_iter().map(|(number, (_, facts, _))| (number, facts)).collect();
        // Fewer pieces than there are come with the error of a device.
        let sinks = if done == pieces { sinks } else { Vec::new() };
        Ok(Work { facts, choice, chunk, pieces, resumed, solved, failed, verified, state, sinks, journal })
    }

    /// The interrupted run to go on with.
    ///
    /// Errors: `--resume` without a file, or of a sort; a journal that cannot be read.
    fn interrupted(&self) -> anyhow::Result<Option<(Run, Option<Entry>)>> {
        if !self.options.resume {
            return Ok(None);
        }
        if *self.job.problem == *rasterscan::tools::problem::SORT {
            bail!(Usage("--resume is not for sort, whose runs are in temporary files; sort anew".into()));
        }
        match self.to.output {
            Some(file) if !file.output.is_stream() => journal::read(file.output.path()),
            _ => bail!(Usage(
                "--resume keeps its journal beside the result: write it to a file, -o FILE".into()
            )),
        }
    }

    /// Begins the streams of results, or goes on with those of an entry; without their files, it is no more.
    fn sinks(&self, cut: &Cut, len: u64, entry: &mut Option<Entry>) -> anyhow::Result<Vec<Sink>> {
        if !cut.results_are_long() {
            return Ok(Vec::new());
        }
        let len = Some(len).filter(|_| !cut.is_counted());
        let outputs: Vec<Output> =
            cut.whole.outputs().into_iter().filter(|output| *output != Output::COUNT).collect();
        let to = |number: usize| self.to.file(number, &outputs[number]);
        let mut parts: Vec<Option<(PathBuf, File)>> = Vec::new();
        for number in 0..outputs.len() {
            let Some(file) = to(number).filter(|file| self.options.resume && !file.output.is_stream()) else {
                parts.push(None);
                continue;
            };
            let path = journal::beside(file.output.path(), ".part");
            let open = || {
                let part = File::options().create(true).truncate(false).read(true).write(true).open(&path)?;
                part.try_lock().map_err(|_| std::io::Error::other("another process writes it"))?;
                let there = part.metadata()?.len();
                Ok::<_, std::io::Error>((part, there))
            };
            let (part, there) = open().with_context(|| format!("cannot write {}", printable_path(&path)))?;
            let stored = entry.as_ref().and_then(|entry| entry.written.get(number)).map(|[_, bytes]| *bytes);
            if stored.is_none_or(|bytes| bytes > there) {
                *entry = None;
            }
            parts.push(Some((path, part)));
        }
        let mut sinks = Vec::new();
        for (number, (output, part)) in outputs.iter().zip(parts).enumerate() {
            let written = entry.as_ref().and_then(|entry| entry.written.get(number)).copied();
            sinks.push(match (to(number), part, self.to.stdout) {
                (Some(file), Some((path, part)), _) => {
                    Sink::part(file, path, part, output.element, len, written)?
                }
                (Some(file), None, _) => Sink::file(file, output.element, len)?,
                (None, _, Some(format)) if number == 0 => Sink::stdout(format, output.element, len)?,
                _ => Sink::nowhere(output.element),
            });
        }
        Ok(sinks)
    }

    /// A bar over all numbers, with the rate and the time left.
    fn bar(&self, len: u64, rounds: u64) -> ProgressBar {
        let template = "{bar:30} {human_pos} of {human_len} numbers, {per_sec}, {eta} left";
        let bar = console::bar(self.console.is_quiet(), len * rounds, template);
        bar.enable_steady_tick(Duration::from_millis(500));
        bar
    }

    /// Checks pieces until there are no more.
    ///
    /// Errors: [`WrongResult`].
    fn check_all(
        &self,
        cut: &Cut,
        solving: &Mutex<Receiver<Done>>,
        right: &SyncSender<Checked>,
    ) -> anyhow::Result<()> {
        loop {
            let next = solving.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(Done { index, at, digest, checks, state, device }) = next else { return Ok(()) };
            let numbers = checks.first().map_or(0, |check| check.task.inputs()[0].len() as u64);
            let mut verified = Verified { compared: 0, unbounded: 0 };
            let mut results = None;
            for check in checks {
                if self.verify {
                    let one = self.check(cut, at, &check)?;
                    verified.compared += one.compared;
                    verified.unbounded += one.unbounded;
                }
                results = Some(check.answer.results);
            }
            let results = results.context("a piece without results")?;
            if right.send(Checked { index, at, digest, numbers, results, state, device, verified }).is_err() {
                return Ok(());
            }
        }
    }

    fn check(&self, cut: &Cut, at: u64, check: &Check) -> anyhow::Result<Verified> {
        let wrong = |mismatch| WrongResult {
            algorithm: format!("the piece from number {} on", grouped(at)),
            mismatch: Box::new(mismatch),
            command: job::command(self.job, self.device),
        };
        let Check { task, answer, total } = check;
        if let Some(total) = total {
            let input = task.inputs()[0];
            let reduction = cut.total(input.len() as u64).context("a total")?;
            Task::new(&reduction, [input])?.verify(total.depth, &total.results).map_err(wrong)?;
        }
        Ok(task.verify(answer.depth, &answer.results).map_err(wrong)?)
    }

    /// Gives files their names, and puts together what is told of the run.
    fn finish(&self, cut: &Cut, work: Work, by: Option<By>, took: Duration) -> anyhow::Result<Chunked> {
        let Work { facts, choice, chunk, pieces, resumed, solved, failed, verified, state, sinks, journal } =
            work;
        let outputs = cut.whole.outputs().into_iter().filter(|output| *output != Output::COUNT);
        let written: Vec<(Output, u64)> = outputs.zip(sinks.iter().map(Sink::written)).collect();
        let kept = if cut.is_counted() { written.first().map(|(_, numbers)| *numbers) } else { None };
        Sink::finish(sinks)?;
        let results = cut.results(state)?.map(Results::new);
        if let Some(journal) = journal {
            journal.end();
        }
        let (choice, parameters) = by.unwrap_or_else(|| (choice.clone(), choice.parameters()));
        let label = outcome::label(&choice, &parameters);
        let unchecked = match (self.verify, verified.unbounded) {
            (false, _) => "not verified".into(),
            (true, 0) => "verified".into(),
            (true, some) => {
                format!("verified, but {} cannot be checked (overflow or NaN)", many(some, "number"))
            }
        };
        let kept_text = kept.map_or_else(String::new, |kept| {
            format!("{} of {} kept, ", grouped(kept), grouped(cut.whole.len()))
        });
        let rate = cut.whole.len() as f64 / took.as_secs_f64().max(1e-9) / 1e6;
        self.console.summary(
            format!(
                "{label}: {}, {took:.1?}, {rate:.0} million numbers a second, {kept_text}{unchecked}",
                many(pieces, "piece")
            ),
            self.verify.then_some(verified),
        );
        let short = |name| results.as_ref().and_then(|results| results.get(name)).map(document::numbers);
        let (_, first) = facts.first().context("no device")?;
        let device = |(number, facts): &(usize, Facts)| DeviceDocument {
            renderer: facts.place.clone(),
            pieces: solved.get(*number).copied().unwrap_or(0),
            failed: failed.iter().find(|(failed, _)| failed == number).map(|(_, why)| why.clone()),
        };
        let is_histogram = cut.edges().is_some();
        let document = ChunkedDocument {
            schema: format!("rasterscan.{}.pieces/1", self.job.problem),
            engine: first.engine,
            gl: first.gl.clone(),
            result: short(if is_histogram { "counts" } else { "values" }),
            result_edges: cut.edges().map(document::numbers),
            indices: short("indices"),
            algorithm: choice.card.name,
            parameters: document::parameters(&parameters),
            request: RequestFacts::of_job(self.job, &cut.whole),
            chunk,
            pieces,
            resumed,
            devices: facts.iter().map(device).collect(),
            verified: self.verify && verified.holds(),
            unbounded: verified.unbounded,
            kept,
            time: Time::new(took, Clock::Wall, 1, None),
            memory: Some(size::resident()).filter(|bytes| *bytes > 0),
        };
        Ok(Chunked { results, written, document })
    }
}

impl Writer<'_> {
    /// Writes pieces in their order until there are no more. Returns the number of pieces that are done, those before
    /// included.
    ///
    /// Errors: a stream that cannot be written.
    fn write_all(
        &mut self,
        mut next: u64,
        checking: Receiver<Checked>,
        workers: &Workers<'_>,
        bar: &ProgressBar,
    ) -> anyhow::Result<u64> {
        let mut early = BTreeMap::new();
        for checked in checking {
            early.insert(checked.index, checked);
            while let Some(checked) = early.remove(&next) {
                let end = checked.at + checked.numbers;
                self.write(checked)?;
                next += 1;
                workers.wrote();
                bar.set_position(end);
            }
        }
        Ok(next)
    }

    fn write(&mut self, checked: Checked) -> anyhow::Result<()> {
        let Checked { index, at, digest, numbers, results, state, device, verified } = checked;
        self.verified.compared += verified.compared;
        self.verified.unbounded += verified.unbounded;
        self.solved[device] += 1;
        if self.cut.has_carry() {
            self.state = state;
        }
        let streams = self.cut.fold(&mut self.state, at, results)?;
        if let Some(runs) = &mut self.runs {
            return runs.add(&streams);
        }
        for (sink, numbers) in self.sinks.iter_mut().zip(&streams) {
            sink.write(numbers)?;
        }
        if let Some(journal) = &mut self.journal {
            let written = self.sinks.iter_mut().map(Sink::stored).collect::<anyhow::Result<_>>()?;
            let state = self.state.clone();
            journal.note(&Entry {
                pieces: index + 1,
                numbers: at + numbers,
                digest: digest.0,
                written,
                state,
            })?;
        }
        Ok(())
    }

    /// Merges the runs of a sort, with so much memory.
    fn merge(&mut self, memory: u64, bar: &ProgressBar) -> anyhow::Result<()> {
        let Some(runs) = self.runs.take() else { return Ok(()) };
        let moves = self.cut.whole.get::<SortSpec>().map(|spec| spec.moves).context("a sort")?;
        runs.merge(memory, |keys, indices| {
            let count = keys.len() as u64;
            let streams = [Some(keys).filter(|_| moves.values()), indices];
            for (sink, numbers) in self.sinks.iter_mut().zip(streams.iter().flatten()) {
                sink.write(numbers)?;
            }
            bar.inc(count);
            Ok(())
        })
    }
}

/// Reads all pieces, those before the entry only for their digest.
///
/// Errors: the input, or numbers that are others than before.
fn read_all(
    mut stream: Stream,
    chunk: u64,
    entry: Option<Entry>,
    out: Option<PathBuf>,
    digests: bool,
    filled: &SyncSender<Piece>,
) -> anyhow::Result<()> {
    let mut digest = Digest::NONE;
    let (mut index, mut at) = (0, 0);
    if let (Some(entry), Some(out)) = (&entry, &out) {
        while at < entry.numbers {
            let numbers =
                stream.next(chunk.min(entry.numbers - at))?.context("the input has become shorter")?;
            digest = digest.add(&numbers);
            at += numbers.len() as u64;
        }
        journal::check_digest(out, entry, digest)?;
        index = entry.pieces;
    }
    while let Some(numbers) = stream.next(chunk)? {
        let len = numbers.len() as u64;
        if digests {
            digest = digest.add(&numbers);
        }
        if filled.send(Piece { index, at, digest, numbers }).is_err() {
            return Ok(());
        }
        index += 1;
        at += len;
    }
    Ok(())
}

/// The result of a thread; its panic goes on here.
fn joined<T>(result: thread::Result<anyhow::Result<T>>) -> anyhow::Result<T> {
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn many(count: u64, one: &str) -> String {
    format!("{} {one}{}", grouped(count), if count == 1 { "" } else { "s" })
}

fn places(open: &[(usize, (u64, Facts, Choice))]) -> String {
    open.iter().map(|(_, (_, facts, _))| facts.place.as_str()).collect::<Vec<_>>().join(" and ")
}

/// The document of `--json`.
#[derive(Debug, Serialize)]
pub struct ChunkedDocument {
    schema: String,
    engine: Option<&'static str>,
    gl: Option<Gl>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Vec<serde_json::Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_edges: Option<Vec<serde_json::Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    indices: Option<Vec<serde_json::Value>>,
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
