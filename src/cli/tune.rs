//! `tune`: the free parameters of algorithms, measured on this device and kept for it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use rasterscan::tuner::{self, Measured, Progress};
use rasterscan::tuning::Tuned;
use rasterscan::{Error, ScanSpec};

use super::cache::{self, Cache};
use super::console::Console;
use super::device::DeviceOptions;
use super::document::{Gl, Time};
use super::exit::{Usage, WrongResult};
use super::table::{grouped, milliseconds, right};
use super::{called, output, table};

/// Why something was left out.
const NO_TIME: &str = "no time was left";

/// The most that can be asked for: a day.
const MOST_SECONDS: f64 = 86_400.0;

/// Measure which parameters are the fastest on this device, and keep them for all later runs on it
#[derive(Debug, Args)]
#[command(after_long_help = WHAT_IS_MEASURED)]
pub struct TuneOptions {
    /// How long to measure; what has begun is finished
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds)]
    seconds: Duration,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Only measure, and keep nothing
    #[arg(long)]
    dry_run: bool,
}

const WHAT_IS_MEASURED: &str = "\
Measured:
  sam: how many rows of 16 bytes an invocation takes (rows=auto), for ranges
  of problem sizes, and apart for scans of the first and of higher orders.
  Every candidate is verified, then all are timed in turns. Another than the
  built-in default is preferred only where it is clearly faster: the middle
  halves of the times do not overlap, and the medians are 2% apart.

Kept:
  in a file of the user's cache folder, for this renderer, driver version and
  program version (`rasterscan info` says where). Every run on this device
  uses it, unless --no-tuning is given. Deleting it does no harm.

Examples:
  rasterscan tune
  rasterscan tune --seconds 120 --json
  rasterscan tune --dry-run --device software";

pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=MOST_SECONDS).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("expected a number of seconds from 0 to {MOST_SECONDS}, as 30 or 0.5"))
}

pub fn run(options: &TuneOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let gpu = device.open_untuned()?;
    tuner::supported(gpu.device()).map_err(Error::from)?;
    let cache = Cache::from_environment();
    let file = match options.dry_run {
        true => None,
        false => Some(cache.file(gpu.device()).map_err(|reason| {
            Usage(format!("there is no place to keep what is measured: {reason}; --dry-run only measures"))
        })?),
    };
    // Before what cannot be kept is measured.
    file.as_deref().map(cache::check).transpose()?;
    console.note(format!("sam, on {}", gpu.device()));

    let bar = console.progress(0);
    let mut found = Found::default();
    let tuning = tuner::tune_sam(&gpu, options.seconds, |progress| {
        if let Progress::Begins { number, of, spec } = &progress {
            bar.set_length(*of as u64);
            bar.set_position(*number as u64);
            bar.set_message(spec.to_string());
        }
        if let Some(note) = found.add(progress) {
            bar.suspend(|| console.note(note));
        }
    });
    bar.finish_and_clear();
    found.no_time_note().iter().for_each(|note| console.note(note));
    let tuning = tuning.map_err(|error| reproducible(error, device))?;
    if let Some(path) = &file {
        cache::keep(path, gpu.device(), &tuning)?;
        console.note(format!("kept in {}", path.display()));
    }
    if options.json {
        return output::json_to_stdout(&Document {
            schema: "rasterscan.tune/1",
            gl: Gl::of(gpu.device()),
            program: env!("CARGO_PKG_VERSION"),
            file: file.as_deref().map(Path::to_owned),
            sam: found,
        });
    }
    output::to_stdout(found.text().as_bytes())
}

/// A wrong result, with the command that shows it.
fn reproducible(error: Error, device: &DeviceOptions) -> anyhow::Error {
    match error {
        Error::WrongResult { algorithm, spec, mismatch } => {
            let (called, ScanSpec { len, order, .. }) = (called(), *spec);
            let command =
                format!("{called} scan random:n={len} --order {order} -a {algorithm}{}", device.arguments());
            WrongResult { algorithm, mismatch, command }.into()
        }
        error => error.into(),
    }
}

#[derive(Debug, Serialize)]
struct Document {
    schema: &'static str,
    gl: Gl,
    program: &'static str,
    /// `null` where nothing is kept.
    file: Option<PathBuf>,
    sam: Found,
}

/// What the tuner has told.
#[derive(Debug, Default, Serialize)]
struct Found {
    measured: Vec<Row>,
    /// Scans for which the built-in default stays: the device cannot run them, or there was no time.
    left_out: Vec<LeftOut>,
    /// Candidates that this device cannot run.
    refused: Vec<Refused>,
}

#[derive(Debug, Serialize)]
struct Row {
    /// The longest stream of the range, in words of 32 bits; `null` where it has no end.
    up_to: Option<u64>,
    higher_order: bool,
    rows: u32,
    default_rows: u32,
    /// The scan that was timed.
    n: u64,
    order: u32,
    time: Time,
    default_ms: f64,
}

#[derive(Debug, Serialize)]
struct LeftOut {
    n: u64,
    order: u32,
    reason: String,
}

#[derive(Debug, Serialize)]
struct Refused {
    n: u64,
    order: u32,
    rows: u32,
    reason: String,
}

impl Found {
    /// Takes a step down; says what people should know at once.
    fn add(&mut self, progress: Progress) -> Option<String> {
        match progress {
            Progress::Begins { .. } => None,
            Progress::Measured(measured) => {
                self.measured.push(Row::of(&measured));
                None
            }
            Progress::LeftOut { spec, reason } => {
                let note = format!("{spec}: left out, {reason}");
                self.left_out.push(LeftOut { n: spec.len, order: spec.order, reason });
                Some(note)
            }
            Progress::NoTime { spec } => {
                self.left_out.push(LeftOut { n: spec.len, order: spec.order, reason: NO_TIME.into() });
                None
            }
            Progress::Refused { spec, rows, reason } => {
                let note = format!("{spec}: rows={rows} is left out, {reason}");
                self.refused.push(Refused { n: spec.len, order: spec.order, rows, reason });
                Some(note)
            }
        }
    }

    /// How much there was no time for, if anything.
    fn no_time_note(&self) -> Option<String> {
        let missing = self.left_out.iter().filter(|left_out| left_out.reason == NO_TIME).count();
        let all = self.left_out.len() + self.measured.len();
        (missing > 0).then(|| {
            format!(
                "{NO_TIME} for {missing} of {all} sizes and orders, where the built-in default stays; --seconds \
                 gives more"
            )
        })
    }

    fn text(&self) -> String {
        let mut text = table::plain();
        text.set_header(vec![
            table::label("32-bit words"),
            right("order"),
            right("rows"),
            right("ms"),
            right("default"),
            right("ms"),
        ]);
        let mut from = [0, 0];
        for row in &self.measured {
            let from = &mut from[usize::from(row.higher_order)];
            let range = match (*from, row.up_to) {
                (_, Some(end)) if *from == 0 => format!("up to {}", grouped(end)),
                (from, Some(end)) => format!("{} to {}", grouped(from), grouped(end)),
                (from, None) => format!("from {}", grouped(from)),
            };
            *from = row.up_to.map_or(u64::MAX, |end| end + 1);
            let order = if row.higher_order { "2 and more" } else { "1" };
            text.add_row(vec![
                table::label(&range),
                right(order),
                right(row.rows),
                right(milliseconds(row.time.ms)),
                right(row.default_rows),
                right(milliseconds(row.default_ms)),
            ]);
        }
        table::render(text)
    }
}

impl Row {
    fn of(measured: &Measured) -> Row {
        let Measured { spec, tuned, clock, rounds, .. } = *measured;
        Row {
            up_to: (tuned.up_to != Tuned::NO_END).then_some(tuned.up_to),
            higher_order: tuned.higher_order,
            rows: tuned.rows,
            default_rows: measured.default_rows,
            n: spec.len,
            order: spec.order,
            time: Time::new(measured.time, clock, rounds),
            default_ms: Time::new(measured.default_time, clock, rounds).ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_may_be_parts_and_not_more_than_a_day() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("0"), Ok(Duration::ZERO));
        assert_eq!(seconds("86400"), Ok(Duration::from_secs(86400)));
        for text in ["", "-1", "nan", "inf", "86401", "1e300", "10s"] {
            assert!(seconds(text).unwrap_err().contains("as 30 or 0.5"), "{text}");
        }
    }

    #[test]
    fn ranges_follow_on_each_other_order_by_order() {
        let measured = |len, order, up_to, rows| {
            Progress::Measured(Measured {
                spec: ScanSpec::new::<u32>(len).order(order),
                tuned: Tuned { up_to, higher_order: order > 1, rows },
                time: Duration::from_micros(1234),
                default_rows: 8,
                default_time: Duration::from_micros(1500),
                rounds: 9,
                clock: rasterscan::Clock::Gpu,
            })
        };
        let mut found = Found::default();
        for progress in [
            measured(1 << 16, 1, 1 << 17, 4),
            measured(1 << 16, 4, 1 << 17, 8),
            measured(1 << 18, 1, 1 << 19, 6),
            measured(1 << 20, 1, Tuned::NO_END, 16),
        ] {
            assert_eq!(found.add(progress), None);
        }
        let expected = "\
            32-bit words             order  rows    ms  default    ms\n\
            up to 131,072                1     4  1.23        8  1.50\n\
            up to 131,072       2 and more     8  1.23        8  1.50\n\
            131,073 to 524,288           1     6  1.23        8  1.50\n\
            from 524,289                 1    16  1.23        8  1.50\n";
        assert_eq!(found.text(), expected);
        let spec = ScanSpec::new::<u32>(16);
        let note = found.add(Progress::Refused { spec, rows: 64, reason: "it is too large".into() });
        assert_eq!(note.unwrap(), "inclusive add scan of 16 u32: rows=64 is left out, it is too large");
        let note = found.add(Progress::LeftOut { spec, reason: "it is too long".into() });
        assert_eq!(note.unwrap(), "inclusive add scan of 16 u32: left out, it is too long");
        assert_eq!((found.no_time_note(), found.add(Progress::NoTime { spec })), (None, None));
        let note = found.no_time_note().unwrap();
        assert!(note.starts_with("no time was left for 1 of 6 sizes and orders"), "{note}");
    }
}
