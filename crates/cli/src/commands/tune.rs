//! `tune`: the fastest algorithms, textures and parameters, measured on this device and kept for it.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use serde_json::Value;

use rasterscan::Device;
use rasterscan::tools::job::{Job, Source};
use rasterscan::tools::registry::Choice;
use rasterscan::tuning::{Best, Tuned};
use rasterscan_lab::document::milliseconds as milliseconds_of;
use rasterscan_lab::tuner::kept::About;
use rasterscan_lab::tuner::{self, Finding, TuneError, TuneProgress, TuneQuestion};

use crate::cache::{self, Cache};
use crate::console::Console;
use crate::device::DeviceOptions;
use crate::document::{Gl, RequestFacts, Time};
use crate::exit::{Usage, WrongResult};
use crate::{job, output};
use rasterscan_drawing::number::{grouped, milliseconds};
use rasterscan_lab::table::{self, right};

/// The reasons for leaving something out.
const NO_CHOICE: &str = "there is nothing to choose from";
const NO_TIME: &str = "no time was left";

/// Find the fastest settings for this device, and keep them for later runs on it
#[derive(Debug, Args)]
#[command(after_long_help = WHAT_IS_MEASURED)]
pub struct TuneOptions {
    /// Time to measure, in seconds; a measurement that has begun is finished
    #[arg(long, value_name = "S", default_value = "60", value_parser = crate::measuring::seconds)]
    seconds: Duration,
    /// Measure only these: auto, columns, or algorithms, separated by commas
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(tuner::names()).map(|name| name)
    )]
    only: Vec<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Measure, but keep nothing
    #[arg(long)]
    dry_run: bool,
}

const WHAT_IS_MEASURED: &str = "\
Measured, for ranges of problem sizes (for columns, in texels), the most
useful first:
  auto       the fastest algorithm: for scans of the first and of higher
             orders, for tuples, and for compactions (-a auto)
  columns    the width of textures with one item per texel
  packed     texels per block (block=auto)
  hybrid     reduce passes (reduce=auto)
  look_back, sam, reduce_then_scan, three_phase, chained, select
             vectors per invocation (vectors=auto)
  harris, capannini
             elements per block (block=auto)

  Every candidate is verified, then all are timed in turns. A candidate beats
  the built-in default only if it is clearly faster: the middle halves of the
  times do not overlap, and the medians are 2% apart. Settings that there is
  no time for stay as they were. Times measured while the device ran below
  its full speed are measured again, and marked if the device is still slow.

Kept:
  after each measurement, in a file in the user's cache folder, for this
  renderer, driver version and program version (`rasterscan info` shows
  where). Every run on this device uses it, unless --no-tuning is given.
  Deleting it does no harm.

Examples:
  rasterscan tune
  rasterscan tune --seconds 120 --json
  rasterscan tune --only auto,packed
  rasterscan tune --dry-run --device software";

pub fn run(options: &TuneOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let gpu = device.open_untuned()?;
    let cache = Cache::from_environment();
    let kept = match options.dry_run {
        true => None,
        false => Some(KeptTuning::new(&cache, gpu.device())?),
    };
    console.note(format!("tuning {}", gpu.device()));

    let bar = console.progress(0);
    let mut found = TuneResult::default();
    let mut failed = None;
    let only: Vec<&str> = options.only.iter().map(String::as_str).collect();
    let tuned = tuner::tune(&gpu, options.seconds, &only, |progress| {
        if let TuneProgress::Begins { number, of, question } = &progress {
            bar.set_length(*of as u64);
            bar.set_position(*number as u64);
            bar.set_message(named(question));
        }
        if let (TuneProgress::Measured(measured), Some(kept)) = (&progress, &kept) {
            failed = kept.add(measured, gpu.device()).err();
        }
        if let Some(note) = found.add(progress) {
            bar.suspend(|| console.note(note));
        }
        if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    found.no_time_note().iter().for_each(|note| console.note(note));
    tuned.map_err(|error| reproducible(error, device))?;
    failed.map_or(Ok(()), Err)?;
    if let Some(KeptTuning { path }) = &kept {
        match found.measured.is_empty() {
            true => console.note("nothing was measured, and nothing is kept"),
            false => console.note(format!("kept in {}", path.display())),
        }
    }
    if options.json {
        return output::json_to_stdout(&TuneDocument {
            schema: "rasterscan.tune/2",
            gl: Gl::of(gpu.device()),
            program: env!("CARGO_PKG_VERSION"),
            file: kept.map(|kept| kept.path),
            found,
        });
    }
    output::text_to_stdout(&found.text())
}

/// The tuning file of a device; earlier results stay until they are measured again.
struct KeptTuning {
    path: PathBuf,
}

impl KeptTuning {
    /// Finds and checks the file before anything is measured.
    ///
    /// Errors: there is no place for it.
    fn new(cache: &Cache, device: &Device) -> anyhow::Result<KeptTuning> {
        let path = cache.file(device).map_err(|reason| {
            Usage(format!("there is no place to keep the results: {reason}; --dry-run keeps none"))
        })?;
        cache::check(&path)?;
        Ok(KeptTuning { path })
    }

    /// Keeps a finding at once, so that an interrupt loses nothing.
    fn add(&self, measured: &Finding, device: &Device) -> anyhow::Result<()> {
        cache::add(&self.path, device, &[measured.tuned()])
    }
}

/// A wrong result, with the command that shows it.
fn reproducible(error: TuneError, device: &DeviceOptions) -> anyhow::Error {
    match error {
        TuneError::Wrong { algorithm, request, mismatch } => {
            // Not the numbers of the wrong run, but as many.
            let mut job = Job::of(&request, Source::RANDOM.with_len(request.len()));
            if let Ok(choice) = Choice::parse(request.problem(), &algorithm) {
                job = job.by(choice);
            }
            let command = job::command(&job, device);
            WrongResult { algorithm, mismatch, command }.into()
        }
        TuneError::Library(error) => error.into(),
        error => error.into(),
    }
}

/// The question, in words.
fn named(question: &TuneQuestion) -> String {
    format!("{}: {}", question.subject, question.request)
}

#[derive(Debug, Serialize)]
struct TuneDocument {
    schema: &'static str,
    gl: Gl,
    program: &'static str,
    /// `null` if nothing is kept.
    file: Option<PathBuf>,
    #[serde(flatten)]
    found: TuneResult,
}

/// The results of the tuner.
#[derive(Debug, Default, Serialize)]
struct TuneResult {
    measured: Vec<TuneRow>,
    /// Settings that stay as they were: the device cannot run it, there is nothing to choose from, or there was no
    /// time.
    left_out: Vec<NotTuned>,
    /// Candidates that this device cannot run.
    refused: Vec<Refused>,
}

/// A question, and the request that answers it.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Asking {
    #[serde(flatten)]
    about: About,
    #[serde(flatten)]
    request: RequestFacts,
    /// The question's name in the table.
    #[serde(skip)]
    what: String,
}

#[derive(Debug, Serialize)]
struct TuneRow {
    #[serde(flatten)]
    asking: Asking,
    /// The range that it holds for, in words of 32 bits, for columns in texels.
    from: u64,
    /// `null` if it has no end.
    up_to: Option<u64>,
    /// The fastest: a number or a name.
    best: Value,
    /// The built-in default; equal to `best` if nothing else was clearly faster.
    default: Value,
    time: Time,
    default_ms: f64,
}

#[derive(Debug, Serialize)]
struct NotTuned {
    #[serde(flatten)]
    asking: Asking,
    reason: String,
}

#[derive(Debug, Serialize)]
struct Refused {
    #[serde(flatten)]
    asking: Asking,
    /// The candidate, as written on the command line, or a number of columns.
    candidate: String,
    reason: String,
}

impl Asking {
    fn of(question: &TuneQuestion) -> Asking {
        let TuneQuestion { subject, shape, request, .. } = question;
        let what = match shape.to_string() {
            plain if plain.is_empty() => subject.to_string(),
            shape => format!("{subject}, {shape}"),
        };
        Asking { about: About::of(*subject, *shape), request: RequestFacts::of(request), what }
    }
}

impl TuneResult {
    /// Records a step; returns a note that people should see at once.
    fn add(&mut self, progress: TuneProgress) -> Option<String> {
        match progress {
            TuneProgress::Begins { .. } => None,
            TuneProgress::Measured(measured) => {
                let row = TuneRow::of(&measured);
                let same = |old: &&mut TuneRow| old.asking == row.asking && old.from == row.from;
                // The second answer to a question is the better one.
                match self.measured.iter_mut().find(same) {
                    Some(old) => *old = row,
                    None => self.measured.push(row),
                }
                None
            }
            TuneProgress::LeftOut { question, reason } => {
                let note = format!("{} is left out: {reason}", named(&question));
                self.left_out.push(NotTuned { asking: Asking::of(&question), reason });
                Some(note)
            }
            TuneProgress::NoChoice { question } => {
                self.left_out.push(NotTuned { asking: Asking::of(&question), reason: NO_CHOICE.into() });
                None
            }
            TuneProgress::NoTime { question } => {
                self.left_out.push(NotTuned { asking: Asking::of(&question), reason: NO_TIME.into() });
                None
            }
            TuneProgress::Refused { question, candidate, reason } => {
                // One note is enough for all sizes.
                let known = self.refused.iter().any(|refused| refused.candidate == candidate);
                let note = format!("{}: {candidate} is left out: {reason}", named(&question));
                self.refused.push(Refused { asking: Asking::of(&question), candidate, reason });
                (!known).then_some(note)
            }
        }
    }

    /// The note on measurements that there was no time for, if any.
    fn no_time_note(&self) -> Option<String> {
        let missing = self.left_out.iter().filter(|left_out| left_out.reason == NO_TIME).count();
        let all = self.left_out.len() + self.measured.len();
        (missing > 0).then(|| {
            format!(
                "{NO_TIME} for {missing} of {all} measurements: their settings stay as they were; --seconds gives \
                 more time"
            )
        })
    }

    /// The table of results, question by question; each with its ranges in order.
    fn text(&self) -> String {
        let mut text = table::plain();
        text.set_header(vec![
            table::label("what"),
            table::label("32-bit words"),
            right("chosen"),
            right("ms"),
            right("default"),
            right("ms"),
        ]);
        let mut told: Vec<&str> = Vec::new();
        for TuneRow { asking: Asking { what, .. }, .. } in &self.measured {
            if told.contains(&what.as_str()) {
                continue;
            }
            told.push(what);
            let rows = self.measured.iter().filter(|row| row.asking.what == *what);
            for (number, row) in rows.enumerate() {
                text.add_row(vec![
                    table::label(if number == 0 { what } else { "" }),
                    table::label(&range(row.from, row.up_to)),
                    right(word(&row.best)),
                    right(row.time.marked()),
                    right(word(&row.default)),
                    right(milliseconds(row.default_ms)),
                ]);
            }
        }
        let marked = self.measured.iter().any(|row| row.time.is_marked());
        table::render(text) + if marked { table::MARKED } else { "" }
    }
}

fn range(from: u64, up_to: Option<u64>) -> String {
    match (from, up_to) {
        (0, Some(end)) => format!("up to {}", grouped(end)),
        (from, Some(end)) => format!("{} to {}", grouped(from), grouped(end)),
        (from, None) => format!("from {}", grouped(from)),
    }
}

/// A number or a name without quotes.
fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl TuneRow {
    fn of(measured: &Finding) -> TuneRow {
        let Finding { question, best, default, clock, rounds, .. } = measured;
        let value = |best: &Best| match *best {
            Best::Value(value) => Value::from(value),
            Best::Algorithm(name) => Value::from(name),
            Best::BuiltIn => Value::from("auto"),
        };
        TuneRow {
            asking: Asking::of(question),
            from: question.from,
            up_to: (question.up_to != Tuned::NO_END).then_some(question.up_to),
            best: value(if *best == Best::BuiltIn { default } else { best }),
            default: value(default),
            time: Time::new(measured.time, *clock, *rounds, Some(measured.settled)),
            default_ms: milliseconds_of(measured.default_time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rasterscan::ScanSpec;
    use rasterscan::tools::problem::SCAN;
    use rasterscan::tuning::{Shape, Subject};

    #[test]
    fn the_table_goes_by_what_is_chosen_and_then_by_size() {
        let sam = Subject::Parameter { problem: SCAN.name, algorithm: "sam", parameter: "vectors" };
        let question = |subject, higher_order, from, up_to| TuneQuestion {
            subject,
            shape: Shape { higher_order, tuples: false },
            from,
            up_to,
            request: (&ScanSpec::new::<u32>(16)).into(),
        };
        let measured = |question, best, default| {
            TuneProgress::Measured(Finding {
                question,
                best,
                default,
                time: Duration::from_micros(1234),
                default_time: Duration::from_micros(1500),
                rounds: 9,
                clock: rasterscan::device::Clock::Gpu,
                settled: true,
            })
        };
        let mut found = TuneResult::default();
        let auto = Subject::Algorithm(SCAN.name);
        let first = question(sam, false, 0, 1 << 17);
        for progress in [
            measured(question(auto, true, 0, 1 << 17), Best::Algorithm("sam"), Best::Algorithm("packed")),
            measured(first.clone(), Best::Value(4), Best::Value(8)),
            measured(question(sam, true, 0, 1 << 17), Best::BuiltIn, Best::Value(8)),
            measured(question(sam, false, (1 << 17) + 1, 1 << 19), Best::BuiltIn, Best::BuiltIn),
            measured(question(sam, false, (1 << 19) + 1, Tuned::NO_END), Best::Value(6), Best::Value(8)),
        ] {
            assert_eq!(found.add(progress), None);
        }
        let expected = "\
            what                                32-bit words        chosen    ms  default    ms\n\
            scan auto, order 2 and more         up to 131,072          sam  1.23   packed  1.50\n\
            scan sam:vectors                    up to 131,072            4  1.23        8  1.50\n\
            \u{20}                                   131,073 to 524,288    auto  1.23     auto  1.50\n\
            \u{20}                                   from 524,289             6  1.23        8  1.50\n\
            scan sam:vectors, order 2 and more  up to 131,072            8  1.23        8  1.50\n";
        assert_eq!(found.text(), expected);
        // The same question again, at the end, and still on a slow device.
        let again = measured(first.clone(), Best::Value(6), Best::Value(8));
        let TuneProgress::Measured(again) = again else { unreachable!("it is measured") };
        assert_eq!(found.add(TuneProgress::Measured(Finding { settled: false, ..again })), None);
        let text = found.text();
        assert!(text.contains("6  1.23*"), "{text}");
        assert_eq!(text.lines().count(), expected.lines().count() + 1, "no row is added:\n{text}");
        assert!(text.ends_with(table::MARKED), "{text}");
        let refused = |candidate: &str| {
            let (candidate, reason) = (candidate.into(), "it is too large".into());
            TuneProgress::Refused { question: first.clone(), candidate, reason }
        };
        let note = found.add(refused("sam:vectors=64")).unwrap();
        assert_eq!(
            note,
            "scan sam:vectors: inclusive add scan of 16 u32: sam:vectors=64 is left out: it is too large"
        );
        assert_eq!(found.add(refused("sam:vectors=64")), None, "once is enough");
        let note =
            found.add(TuneProgress::LeftOut { question: first.clone(), reason: "it is too long".into() });
        assert_eq!(
            note.unwrap(),
            "scan sam:vectors: inclusive add scan of 16 u32 is left out: it is too long"
        );
        assert_eq!(
            (found.no_time_note(), found.add(TuneProgress::NoTime { question: first.clone() })),
            (None, None)
        );
        let note = found.no_time_note().unwrap();
        assert!(note.starts_with("no time was left for 1 of 7 measurements"), "{note}");
    }
}
