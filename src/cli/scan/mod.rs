//! `scan INPUT`: numbers in, their prefix sums out, verified.

mod options;

use std::time::Duration;

use anyhow::bail;
use serde::Serialize;

use rasterscan::registry::{self, Choice, Family};
use rasterscan::spec::MAX_LEN;
use rasterscan::{Element, ElementType, Error, Gpu, Operator, ScanKind, ScanSpec};

use super::console::Console;
use super::device::DeviceOptions;
use super::document::{self, Gl};
use super::input::{Input, ReadOptions};
use super::numbers::{Numbers, each};
use super::output::{self, OutputFile};
use super::runner::{self, Outcome, Protocol};
use super::table::{grouped, milliseconds};

pub use options::ScanOptions;
use options::Wanted;

pub fn run(options: &ScanOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let input = Input::parse(&options.input)?;
    let output = options.output.as_deref().map(OutputFile::new).transpose()?;
    let read = ReadOptions { element: options.dtype, channels: options.channels };
    let gpu = match &input {
        Input::Random(random) if random.n <= MAX_LEN => {
            // What cannot be scanned need not be made, which may take gigabytes.
            let element = options.dtype.unwrap_or(random.element());
            let spec = spec(options, element, random.n, 1)?;
            let gpu = open(options, device)?;
            check_plan(options, gpu.as_ref(), &spec)?;
            Some(gpu)
        }
        _ => None,
    };
    let data = input.read(&read)?;
    if let Some(note) = &data.note {
        console.note(format!("{}: {note}", input.name()));
    }
    let spec = spec(options, data.numbers.element(), data.numbers.len() as u64, data.channels)?;
    let gpu = gpu.map_or_else(|| open(options, device), Ok)?;
    let place = match &gpu {
        Some(gpu) => gpu.device().to_string(),
        None => "the CPU".into(),
    };
    console.note(format!("{spec}, on {place}"));

    let request = Request { options, device, console, input: &input, spec, gpu: gpu.as_ref() };
    let (numbers, document) = each!(&data.numbers, values => request.run(values)?);
    if let Some(output) = &output {
        output.write(&numbers)?;
        let count = grouped(numbers.len() as u64);
        console.note(format!("{count} values written to {}", output.path().display()));
    }
    match (options.json, &output) {
        (true, _) => output::json_to_stdout(&document),
        (false, None) => output::numbers_to_stdout(&numbers),
        (false, Some(_)) => Ok(()),
    }
}

fn spec(options: &ScanOptions, element: ElementType, len: u64, channels: u32) -> anyhow::Result<ScanSpec> {
    let arity = u64::from(options.op.arity());
    if !len.is_multiple_of(arity) {
        bail!("{} takes pairs, and {len} values are no whole number of pairs", options.op);
    }
    let tuple = if options.channels { channels } else { options.tuple };
    let kind = if options.exclusive { ScanKind::Exclusive } else { ScanKind::Inclusive };
    let spec =
        ScanSpec::of(element, len / arity).operator(options.op).kind(kind).order(options.order).tuple(tuple);
    spec.check().map_err(Error::from)?;
    Ok(spec)
}

/// Whether the wanted algorithm has a plan for this; `all` leaves out what has none.
fn check_plan(options: &ScanOptions, gpu: Option<&Gpu>, spec: &ScanSpec) -> anyhow::Result<()> {
    let Some(device) = gpu.map(Gpu::device) else { return Ok(()) };
    match &options.algorithm {
        Wanted::All => return Ok(()),
        Wanted::Auto => registry::auto(spec, device).plan(spec, device)?,
        Wanted::One(choice) => choice.plan(spec, device)?,
    };
    Ok(())
}

/// The device; `None` where there is none and none is needed.
fn open(options: &ScanOptions, device: &DeviceOptions) -> anyhow::Result<Option<Gpu>> {
    let needless = matches!(
        &options.algorithm,
        Wanted::One(choice) if choice.card.era == registry::Era::Cpu
    );
    match device.open() {
        Ok(gpu) => Ok(Some(gpu)),
        Err(reason) if needless => {
            tracing::info!("no device: {reason}");
            Ok(None)
        }
        Err(error) => Err(error.context("cannot open a device (`-a sequential` needs none)")),
    }
}

/// The whole of a scan but its numbers.
struct Request<'a> {
    options: &'a ScanOptions,
    device: &'a DeviceOptions,
    console: &'a Console,
    input: &'a Input,
    spec: ScanSpec,
    gpu: Option<&'a Gpu>,
}

impl Request<'_> {
    fn run<T: Element>(&self, values: &[T]) -> anyhow::Result<(Numbers, Document)>
    where
        Numbers: From<Vec<T>>,
    {
        let auto = || match self.gpu {
            Some(gpu) => registry::auto(&self.spec, gpu.device()),
            None => registry::sequential(Family::Scan),
        };
        let choice = match &self.options.algorithm {
            Wanted::All => return self.run_all(&auto(), values),
            Wanted::Auto => auto(),
            Wanted::One(choice) => choice.clone(),
        };
        let outcome = self.run_one(&choice, values)?;
        let run = Runs::One(outcome.document(&self.spec));
        Ok((outcome.values.into(), self.document(run)))
    }

    /// Runs every scan. The values are those of `auto`, or of the first where that cannot run.
    fn run_all<T: Element>(&self, auto: &Choice, values: &[T]) -> anyhow::Result<(Numbers, Document)>
    where
        Numbers: From<Vec<T>>,
    {
        let mut result = None;
        let mut runs = Vec::new();
        let mut skipped = Vec::new();
        for card in registry::family(Family::Scan) {
            let outcome = match self.run_one(&card.with_defaults(), values) {
                Ok(outcome) => outcome,
                Err(error) => {
                    let Some(reason) = runner::unsupported(&error) else { return Err(error) };
                    self.console.note(format!("{}: left out, {reason}", card.name));
                    skipped.push(Skipped { algorithm: card.name, reason: reason.to_string() });
                    continue;
                }
            };
            runs.push(outcome.document(&self.spec));
            if result.is_none() || card.name == auto.card.name {
                result = Some(outcome.values);
            }
        }
        let all = Runs::All {
            algorithm: "all",
            spec: document::Spec::of(&self.spec),
            verified: runs.iter().all(|run| run.verified),
            runs,
            skipped,
        };
        Ok((result.unwrap_or_default().into(), self.document(all)))
    }

    fn run_one<T: Element>(&self, choice: &Choice, values: &[T]) -> anyhow::Result<Outcome<T>> {
        let protocol = Protocol {
            verify: !self.options.no_verify,
            runs: 5,
            budget: Duration::from_millis(100),
            reproduce: &|choice| self.command(choice),
        };
        let outcome = runner::run(self.gpu, choice, &self.spec, values, &protocol)?;
        self.console.note(summary(&outcome));
        Ok(outcome)
    }

    fn document(&self, runs: Runs) -> Document {
        Document { schema: "rasterscan.scan/1", gl: self.gpu.map(|gpu| Gl::of(gpu.device())), runs }
    }

    /// The command that runs this choice on this input.
    fn command(&self, choice: &Choice) -> String {
        let options = self.options;
        let mut command = format!("rasterscan scan {} -a {choice}", quoted(&self.input.argument()));
        if options.op != Operator::Add {
            command += &format!(" --op {}", options.op);
        }
        if options.exclusive {
            command += " --exclusive";
        }
        if options.order > 1 {
            command += &format!(" --order {}", options.order);
        }
        if options.tuple > 1 {
            command += &format!(" --tuple {}", options.tuple);
        }
        if let Some(element) = options.dtype {
            command += &format!(" --dtype {element}");
        }
        if options.channels {
            command += " --channels";
        }
        command + &self.device.arguments()
    }
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,".contains(c);
    match word.chars().all(plain) && !word.is_empty() {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

fn summary<T>(outcome: &Outcome<T>) -> String {
    let passes = match outcome.passes {
        0 => String::new(),
        1 => "1 pass, ".into(),
        passes => format!("{passes} passes, "),
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
    format!(
        "{}: {passes}{} ms ({} clock), {verified}",
        outcome.label(),
        milliseconds(outcome.time.ms),
        outcome.time.clock
    )
}

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Document {
    schema: &'static str,
    /// `null` where the scan needed no device and there is none.
    gl: Option<Gl>,
    #[serde(flatten)]
    runs: Runs,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Runs {
    One(document::Run),
    All {
        algorithm: &'static str,
        #[serde(flatten)]
        spec: document::Spec,
        verified: bool,
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
