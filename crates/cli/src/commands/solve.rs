//! A command for each problem, such as `scan`: they read INPUT, run one algorithm or all of
//! them, and write the result.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use rasterscan::algorithm::results::Results;
use rasterscan::tools::job::Wanted;
use rasterscan::tools::limits::MAX_LEN;
use rasterscan::tools::printable::printable_path;
use rasterscan::tools::problem::{Output, Problem, SCAN};
use rasterscan::tools::registry::{self, Chosen, Era};
use rasterscan::{gl::LongBuffers, tools::Job};
use rasterscan_drawing::number::grouped;
use rasterscan_files::Format;

use crate::console::Console;
use crate::device::DeviceOptions;
use crate::engine::Engine;
use crate::exit::Usage;
use crate::input::Inputs;
use crate::job::{ForProblem, MoreOptions, format};
use crate::output::{self, NumbersFile, WRITTEN};
use crate::runs::{Runs, Solved};

/// A command that solves a problem.
pub type Solve = ForProblem<SolveOptions>;

/// The options for the result.
#[derive(Debug, Clone, Args)]
pub struct SolveOptions {
    /// Write the result to a file: .npy, .csv, .txt or .bin; - is stdout
    #[arg(short, long = "out", value_name = "OUT")]
    output: Option<PathBuf>,
    /// The format of the result on stdout [default: txt]
    #[arg(long, value_parser = format(&WRITTEN))]
    format: Option<Format>,
    /// Print one JSON document instead of the result
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl MoreOptions for SolveOptions {
    fn about(problem: &'static Problem) -> String {
        problem.summary.into()
    }

    fn below(problem: &'static Problem) -> String {
        let keep = if *problem == *SCAN { "" } else { ",keep=0.6" };
        format!(
            "\
Input:
  .npy             u1 u2 u4 u8 i1 i2 i4 i8 f4, either byte order, C order,
                   read flat; f8 with --dtype f32
  .csv .txt -      numbers separated by white space or commas; a first line
                   without digits is a header; - may be an .npy, a .png
                   or a .jpg, too, or what --input-format says
  .bin             little-endian, of the type given by --dtype
  .png .jpg        {};
                   luma is that of Rec. 709, of the pixels as they are stored:
                   EXIF orientation, gAMA and colour profiles are ignored
  values:3,1,7     these numbers
  random:n=1000000,seed=7,max=255{keep}
                   generated, the same on every machine; max is included;
                   keep is the share of nonzero numbers
  ramp:n=16        a pattern: ramp, ones, alternating, spike, ends, sorted, runs

Output: on stdout in --format, by default one value per line; with -o in the
        format of the name's ending. A pipe or a device is written to directly, as text if its
        name has no ending; any other file appears whole or not at all.

{}",
            problem.pictures, problem.examples
        )
    }
}

/// Runs the command.
pub fn run(solve: &Solve, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let ForProblem { beside, own, .. } = solve;
    let inputs = Inputs::new(&solve.job, solve.format)?;
    let file = own.output.as_deref().filter(|path| *path != Path::new("-"));
    if let (Some(file), Some(_)) = (file, own.format) {
        let path = printable_path(file);
        return Err(Usage(format!("--format is for stdout; the ending of {path} is its format")).into());
    }
    let output = file.map(NumbersFile::new).transpose()?;
    let beside = beside.iter().map(|(name, path)| Ok((*name, NumbersFile::new(path)?)));
    let beside = beside.collect::<anyhow::Result<Vec<_>>>()?;
    let all =
        output.iter().map(|file| ("values", file)).chain(beside.iter().map(|(name, file)| (*name, file)));
    let all: Vec<_> = all.collect();
    for (number, (other, second)) in all.iter().enumerate() {
        let same = |(_, first): &&(_, &NumbersFile)| first.output.is_same_file(&second.output);
        if let Some((one, _)) = all[..number].iter().find(same) {
            let path = printable_path(second.output.path());
            return Err(Usage(format!("{one} and {other} cannot both go to {path}")).into());
        }
    }
    let Solved { results, document, failure } = answer(solve, &inputs, device, console)?;
    let streams: Vec<_> = results.iter().flat_map(Results::streams).collect();
    // OUT has the first one.
    let file_of = |(number, stream): (usize, &&Output)| match number {
        0 => output.as_ref(),
        _ => beside.iter().find(|(name, _)| *name == stream.name).map(|(_, file)| file),
    };
    let files = streams
        .iter()
        .enumerate()
        .filter_map(|(number, stream)| Some((file_of((number, &stream.0))?, stream)));
    let files: Vec<_> = files.collect();
    // Before anything is printed, so that a closed stdout does not lose the files.
    let numbers: Vec<_> = files.iter().map(|(file, (_, numbers))| (*file, *numbers)).collect();
    output::write_numbers_to(&numbers)?;
    for (number, (stream, _)) in streams.iter().enumerate().skip(1) {
        let name = stream.name;
        if !own.json && file_of((number, stream)).is_none() {
            let option = if name == "indices" { "--indices=FILE" } else { "--payload-out FILE" };
            console.note(format!("the {} are written nowhere; {option} writes them", many(stream)));
        }
    }
    for (file, (stream, numbers)) in files {
        let count = grouped(numbers.len() as u64);
        let what = if numbers.len() == 1 { stream.one.to_owned() } else { many(stream) };
        let path = printable_path(file.output.path());
        let form = if file.is_text_by_default { ", as text: the name has no ending" } else { "" };
        console.note(format!("{count} {what} written to {path}{form}"));
    }
    match (own.json, &output, streams.first()) {
        (true, ..) => output::json_to_stdout(&document),
        (false, None, Some((_, numbers))) => {
            output::numbers_to_stdout(numbers, own.format.unwrap_or(Format::Text))
        }
        _ => Ok(()),
    }?;
    failure
}

/// The numbers of a stream: `indices`, `payload values`.
fn many(stream: &Output) -> String {
    match stream.one.starts_with(stream.name) {
        true => format!("{}s", stream.one),
        false => stream.name.into(),
    }
}

fn answer(
    solve: &Solve,
    inputs: &Inputs<'_>,
    device: &DeviceOptions,
    console: &Console,
) -> anyhow::Result<Solved> {
    let job = &solve.job;
    let (task, (engine, chosen)) = inputs.load(console, |request| {
        if request.len() > MAX_LEN {
            // They cannot be generated.
            return Ok((None, None));
        }
        let engine = open(job, device, console)?;
        // Numbers that no algorithm can take are not generated: they may take gigabytes.
        let chosen = match (&job.algorithm, &engine) {
            (Wanted::All, _) => None,
            (_, None) => Some(Chosen { choice: registry::sequential(job.problem), plan: None }),
            (_, Some(engine)) => Some(job.choose(request, engine.device())?),
        };
        Ok((engine, chosen))
    })?;
    let place = engine.as_ref().map_or_else(|| "the CPU".into(), Engine::place);
    console.note(format!("{}, on {place}", task.request()));
    Runs { job, verify: solve.verify, device, console, engine: engine.as_ref() }.answer(&task, chosen)
}

/// Opens an engine; `None` if none is needed. Then no driver, which could fail in any way, is loaded.
fn open(job: &Job, device: &DeviceOptions, console: &Console) -> anyhow::Result<Option<Engine>> {
    match job.algorithm.named() {
        Some(choice) if choice.card.era == Era::Cpu => Ok(None),
        _ => {
            let told = "cannot open a device (`--device cpu` and `-a sequential` need none)";
            let engine = Engine::open(device, console).context(told)?;
            if let Some(gpu) = engine.gpu() {
                // For a few runs, others take longer to make than they save.
                gpu.set_long_buffers(LongBuffers::Ordinary);
            }
            Ok(Some(engine))
        }
    }
}
