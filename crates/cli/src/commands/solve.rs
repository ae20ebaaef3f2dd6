//! A command for each problem, such as `scan`: they read INPUT, run one algorithm or all of
//! them, and write the result.

use std::path::{Path, PathBuf};

use clap::Args;
use rasterscan::algorithm::results::Results;
use rasterscan::tools::job::Wanted;
use rasterscan::tools::limits::MAX_LEN;
use rasterscan::tools::printable::printable_path;
use rasterscan::tools::problem::{Output, Problem, REDUCE, SCAN};
use rasterscan::tools::registry::{self, Chosen};
use rasterscan_drawing::number::grouped;
use rasterscan_files::Format;

use serde::Serialize;

use crate::chunked::{ChunkOptions, Chunked, Chunking};
use crate::console::Console;
use crate::device::DeviceOptions;
use crate::engine::{self, Engine};
use crate::exit::Usage;
use crate::input::Inputs;
use crate::job::{ForProblem, MoreOptions, file_option, format};
use crate::output::{self, Destinations, NumbersFile, WRITTEN};
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
    #[command(flatten)]
    chunks: ChunkOptions,
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
  ramp:n=16        a pattern: ramp, ones, alternating, spike, ends, sorted,
                   runs, long_runs

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
    let stdout = match (own.json, &output) {
        (false, None) => Some(own.format.unwrap_or(Format::Text)),
        _ => None,
    };
    let to = Destinations { output: output.as_ref(), beside: &beside, stdout };
    if own.chunks.are_given() {
        let (job, verify, options) = (&solve.job, solve.verify, &own.chunks);
        let chunking = Chunking { job, verify, options, to: &to, device, console };
        let Chunked { results, written, document } = chunking.run(&inputs)?;
        let written: Vec<_> = written.iter().map(|(stream, numbers)| (stream, *numbers)).collect();
        told(solve, &to, &written, console);
        return delivered(solve, &to, results.as_ref(), &document, console);
    }
    let Solved { results, document, failure } = answer(solve, &inputs, device, console)?;
    delivered(solve, &to, results.as_ref(), &document, console)?;
    failure
}

/// Writes results to where they belong, and the document if it is wanted.
fn delivered(
    solve: &Solve,
    to: &Destinations<'_>,
    results: Option<&Results>,
    document: &impl Serialize,
    console: &Console,
) -> anyhow::Result<()> {
    let streams: Vec<_> = results.into_iter().flat_map(Results::streams).collect();
    let file =
        |(number, (stream, numbers)): (usize, &(&Output, _))| Some((to.file(number, stream)?, *numbers));
    // Before anything is printed, so that a closed stdout does not lose the files.
    output::write_numbers_to(&streams.iter().enumerate().filter_map(file).collect::<Vec<_>>())?;
    let lens: Vec<_> = streams.iter().map(|(stream, numbers)| (*stream, numbers.len() as u64)).collect();
    told(solve, to, &lens, console);
    match (solve.own.json, to.stdout, streams.first()) {
        (true, ..) => output::json_to_stdout(document),
        (false, Some(format), Some((_, numbers))) => output::numbers_to_stdout(numbers, format),
        _ => Ok(()),
    }
}

/// Says which streams were written, and where.
fn told(solve: &Solve, to: &Destinations<'_>, streams: &[(&Output, u64)], console: &Console) {
    let problem = solve.job.problem;
    for (number, (stream, _)) in streams.iter().enumerate().skip(1) {
        if solve.own.json || to.file(number, stream).is_some() {
            continue;
        }
        let hint = match file_option(problem, stream) {
            Some(option) => format!("; {option} writes them"),
            None if *problem == *REDUCE => "; --json prints them".into(),
            None => String::new(),
        };
        console.note(format!("the {} are written nowhere{hint}", many(stream)));
    }
    for (number, (stream, len)) in streams.iter().enumerate() {
        let Some(file) = to.file(number, stream) else { continue };
        let what = if *len == 1 { stream.one.to_owned() } else { many(stream) };
        let path = printable_path(file.output.path());
        let form = if file.is_text_by_default { ", as text: the name has no ending" } else { "" };
        console.note(format!("{} {what} written to {path}{form}", grouped(*len)));
    }
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
        let engine = engine::for_job(job, device, console)?;
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
