//! The writer: pieces in their order, to files that appear whole.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::Receiver;
use std::time::Duration;
use std::{fmt, mem};

use anyhow::Context;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use rasterscan::SortSpec;
use rasterscan::algorithm::results::{Results, Verified};
use rasterscan::tools::output;
use rasterscan::tools::problem::Output;

use super::cut::{Cut, State};
use super::journal::{Entry, Journal, Run};
use super::merge::Runs;
use super::schedule::{Place, Schedule};
use super::sink::Sink;
use super::speed;
use crate::console::{self, Console};
use crate::output::Destinations;

/// A piece that was checked.
pub struct Checked {
    pub place: Place,
    pub results: Results,
    /// Scans: the carries of the next piece.
    pub state: State,
    pub device: usize,
    pub verified: Verified,
}

/// The state of the writer.
pub struct Writer<'w> {
    cut: &'w Cut,
    sinks: Vec<Sink>,
    /// The runs of a sort, which are merged at the end.
    runs: Option<Runs>,
    journal: Option<Journal>,
    bar: ProgressBar,
    /// Pieces that an interrupted run had done.
    pub resumed: u64,
    pub state: State,
    pub verified: Verified,
    /// Pieces by the devices that solved them.
    pub solved: BTreeMap<usize, u64>,
}

impl<'w> Writer<'w> {
    /// Begins the results, or goes on with those of an interrupted run. If there are less of them than its entry says, it is
    /// no more, and all begins anew. `out` is where the run keeps its journal.
    ///
    /// Errors: files that cannot be written.
    pub fn new(
        cut: &'w Cut,
        to: &Destinations<'_>,
        run: &Run,
        out: Option<&Path>,
        entry: &mut Option<Entry>,
    ) -> anyhow::Result<Writer<'w>> {
        let outputs = cut.outputs().into_iter().filter(|_| cut.results_are_long()).enumerate();
        let len = Some(cut.len).filter(|_| !cut.is_counted());
        let open = |(number, output): (usize, Output)| {
            let stdout = to.stdout.filter(|_| number == 0);
            Sink::open(to.file(number, &output), stdout, out.is_some(), output.element, len)
        };
        let mut sinks = outputs.map(open).collect::<anyhow::Result<Vec<_>>>()?;
        let mut runs = match (cut.whole.get::<SortSpec>(), out) {
            (Some(spec), Some(out)) => Some(Runs::keep(spec, out, cut.has_indices())?),
            (Some(spec), None) => {
                let out = to.output.map(|file| output::folder_of(file.output.path()).to_owned());
                Some(Runs::new(spec, &out.unwrap_or_else(std::env::temp_dir), cut.has_indices())?)
            }
            (None, _) => None,
        };
        entry.take_if(|Entry { written, .. }| match &runs {
            Some(runs) => !runs.has(written),
            None => !sinks.iter().zip(written).all(|(sink, [_, bytes])| sink.has(*bytes)),
        });
        let entry = entry.as_ref();
        let written = entry.map_or(&[][..], |entry| &entry.written);
        // The results of a sort begin with its merge.
        let of_sinks = if runs.is_some() { &[] } else { written };
        for (number, sink) in sinks.iter_mut().enumerate() {
            sink.begin(out.map(|_| of_sinks.get(number).copied().unwrap_or_default()))?;
        }
        if let Some(runs) = &mut runs {
            let done = entry.map_or(0, |entry| entry.numbers);
            let chunk = run.chunk.unwrap_or(cut.len).max(1);
            let lens = (0..done).step_by(chunk as usize).map(|from| chunk.min(done - from));
            runs.begin(lens.collect(), written)?;
        }
        let journal = out.map(|out| Journal::open(out, run, entry)).transpose()?;
        Ok(Writer {
            cut,
            sinks,
            runs,
            journal,
            bar: ProgressBar::hidden(),
            resumed: entry.map_or(0, |entry| entry.pieces),
            state: entry.map_or_else(|| cut.first(), |entry| Ok(entry.state.clone()))?,
            verified: Verified { compared: 0, unbounded: 0 },
            solved: BTreeMap::new(),
        })
    }

    /// Shows a bar, in which so many numbers are done, with the speed and the time left.
    pub fn show(&mut self, done: u64, console: &Console) {
        let rounds = if self.runs.is_some() { 2 } else { 1 };
        let bar = console::bar(console.is_quiet(), self.cut.len * rounds, "");
        // Before it is drawn: they say nothing of the speed.
        bar.set_position(done);
        bar.reset_eta();
        let pace = |state: &ProgressState, out: &mut dyn fmt::Write| {
            // Before the first piece, neither is known.
            if state.per_sec() > 0.0 {
                let _ = write!(out, ", {}, {} left", speed(state.per_sec()), HumanDuration(state.eta()));
            }
        };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3}%{pace}") {
            bar.set_style(style.with_key("pace", pace));
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        self.bar = bar;
    }

    /// Writes pieces in their order until there are no more.
    ///
    /// Errors: a stream that cannot be written.
    pub fn write_all(&mut self, pieces: Receiver<Checked>, schedule: &Schedule<'_>) -> anyhow::Result<()> {
        let mut next = self.resumed;
        let mut early = BTreeMap::new();
        for piece in pieces {
            early.insert(piece.place.index, piece);
            while let Some(piece) = early.remove(&next) {
                let end = piece.place.end;
                self.write(piece)?;
                next += 1;
                schedule.wrote();
                self.bar.set_position(end);
            }
        }
        Ok(())
    }

    fn write(&mut self, piece: Checked) -> anyhow::Result<()> {
        let Checked { place, results, state, device, verified } = piece;
        self.verified.compared += verified.compared;
        self.verified.unbounded += verified.unbounded;
        *self.solved.entry(device).or_default() += 1;
        if self.cut.has_carry() {
            self.state = state;
        }
        let streams = self.cut.fold(&mut self.state, place.begin, results)?;
        match &mut self.runs {
            Some(runs) => runs.add(&streams)?,
            None => {
                let mut sinks = self.sinks.iter_mut().zip(&streams);
                sinks.try_for_each(|(sink, numbers)| sink.write(numbers))?;
            }
        }
        let Some(journal) = &mut self.journal else { return Ok(()) };
        let written = match &self.runs {
            Some(runs) => runs.stored()?,
            None => self.sinks.iter_mut().map(Sink::stored).collect::<anyhow::Result<_>>()?,
        };
        let Place { index, end, digest, .. } = place;
        journal.add(&Entry { pieces: index + 1, numbers: end, digest, written, state: self.state.clone() })
    }

    /// Merges the runs of a sort with so much memory, and gives files their names. Returns the streams that were written,
    /// and their lengths in numbers.
    ///
    /// Errors: files that cannot be written.
    pub fn finish(&mut self, memory: u64) -> anyhow::Result<Vec<(Output, u64)>> {
        let runs = self.runs.take();
        if let Some(runs) = &runs {
            let moves = self.cut.whole.get::<SortSpec>().map(|spec| spec.moves).context("a sort")?;
            runs.merge(memory, |keys, indices| {
                let count = keys.len() as u64;
                let streams = [Some(keys).filter(|_| moves.values()), indices];
                for (sink, numbers) in self.sinks.iter_mut().zip(streams.iter().flatten()) {
                    sink.write(numbers)?;
                }
                self.bar.inc(count);
                Ok(())
            })?;
        }
        self.bar.finish_and_clear();
        let written = self.cut.outputs().into_iter().zip(self.sinks.iter().map(Sink::written)).collect();
        Sink::finish(mem::take(&mut self.sinks))?;
        runs.into_iter().for_each(Runs::remove);
        if let Some(journal) = self.journal.take() {
            journal.end();
        }
        Ok(written)
    }
}
