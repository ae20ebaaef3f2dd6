//! `trace`: a run with everything that its passes read and wrote, as pictures or as a file.

mod output;
mod run;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use rasterscan::tools::problem::Problem;
use rasterscan::trace::{FileError, Recording};
use rasterscan_drawing::colour::Palette;
use rasterscan_picture::Style;

use crate::console::Console;
use crate::device::DeviceOptions;
use crate::exit::Usage;
use crate::job::{ForProblem, MoreOptions, named};
use output::Destination;

/// Show every texture after every pass: a folder of PNG or SVG, an animated PNG, or the recording as a file
#[derive(Debug, Args)]
#[command(after_long_help = OUT)]
pub struct TraceOptions {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    #[command(flatten)]
    Job(Box<ForProblem<OutOptions>>),
    /// Make pictures of a trace that was saved as .json; needs no OpenGL
    #[command(after_long_help = SHOW)]
    Show {
        /// The trace: a .json that `trace` wrote
        file: OsString,
        #[command(flatten)]
        out: OutOptions,
    },
}

/// The destination of a trace, and its look.
#[derive(Debug, Clone, Args)]
struct OutOptions {
    /// A folder, new or empty, for a picture of each pass; or a file: .apng (a frame for each pass) or .json (the
    /// recording)
    #[arg(short, long = "out", value_name = "OUT")]
    output: PathBuf,
    /// The colours of low and high values, from dark to light
    #[arg(
        long,
        value_name = "NAME",
        default_value = "viridis",
        value_parser = named(Palette::ALL, Palette::name)
    )]
    palette: Palette,
    /// Write the pictures of a folder as SVG
    #[arg(long)]
    svg: bool,
}

impl OutOptions {
    fn style(&self) -> Style {
        Style { palette: self.palette, ..Style::default() }
    }
}

const OUT: &str = "\
OUT:
  FOLDER           new or empty: input.png, then 01-PHASE.png and so on, one
                   for each pass; with --svg, .svg; all appear, or none
  .apng            one frame for each pass, a second each, repeated
  .json            the recording itself, for `trace show` and for the app

Examples:
  rasterscan trace scan random:n=16 -a horn -o horn
  rasterscan trace scan random:n=16 -a packed --svg -o figures
  rasterscan trace compact random:n=16,keep=0.5 -a blocks -o blocks.apng
  rasterscan trace scan random:n=1024 -a hybrid -o hybrid.json
  rasterscan trace show hybrid.json -o hybrid";

impl MoreOptions for OutOptions {
    fn about(problem: &'static Problem) -> String {
        format!("Trace a {}; INPUT and options are those of `{problem}`", problem.noun)
    }

    fn below(problem: &'static Problem) -> String {
        format!(
            "\
INPUT is what `{problem}` takes, of at most 65536 items. See `trace --help` for
OUT.

Examples:
  rasterscan trace {problem} random:n=16 -a auto -o passes
  seq 1 64 | rasterscan trace {problem} - -o passes.apng"
        )
    }
}

const SHOW: &str = "\
See `trace --help` for OUT.

Example:
  rasterscan trace show hybrid.json -o hybrid.apng";

pub fn run(options: &TraceOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    match &options.what {
        What::Job(job) => {
            let own = &job.own;
            if let Some((name, file)) = job.beside.first() {
                let (given, expected) = match *name {
                    "indices" => ("--indices", "expected --indices"),
                    _ => ("--payload-out", "leave it out"),
                };
                let file = file.display();
                return Err(Usage(format!(
                    "{given}={file} names a file, but `trace` writes everything to OUT; {expected}"
                ))
                .into());
            }
            let target = Destination::new(&own.output, own.svg)?;
            let recording = run::record(&job.job, job.format, job.verify, device, console)?;
            target.write(recording, own.style(), console)
        }
        What::Show { file, out } => {
            let target = Destination::new(&out.output, out.svg)?;
            target.write(load(Path::new(file))?, out.style(), console)
        }
    }
}

fn load(path: &Path) -> anyhow::Result<Recording> {
    Recording::load(path).map_err(|error| match error {
        error @ FileError::Read { .. } => error.into(),
        error => anyhow::Error::from(error).context(path.display().to_string()),
    })
}

// The jobs of the corpus are the app's.
#[cfg(all(test, feature = "window"))]
mod tests {
    use super::*;
    use rasterscan_fuzz::Fuzz;

    /// A recording that is read, written and read again is the same, and can be painted.
    #[test]
    fn fuzz() {
        let jobs = rasterscan_app::examples::jobs();
        let recordings =
            jobs.iter().map(|job| rasterscan_kernels::record_job(job).unwrap().to_json().unwrap());
        let corpus = recordings.filter(|recording| recording.len() < 11_000).collect();
        let words =
            ["null", "\"phase\":", "\"stream\":", "\"width\":", "\"len\":", "\"draw\"", ",", "}", "]"];
        Fuzz { name: "trace", corpus, words: &words, repair: |_| {}, cases: 300 }.run(|bytes| {
            let recording = match Recording::from_json(bytes) {
                Ok(recording) => recording,
                Err(error) => return error.to_string(),
            };
            // As text, since a coordinate may be NaN, which equals nothing.
            let written = recording.to_json().unwrap();
            assert!(
                Recording::from_json(&written).unwrap().to_json().unwrap() == written,
                "another recording"
            );
            let request = recording.request.clone();
            let subject = rasterscan_picture::Subject::new(recording);
            let pages = rasterscan_picture::Pages::new(&[&subject], Default::default());
            let last = pages.png(pages.count() - 1, &[], 1.0);
            format!("painted {request} {:?}", last.err())
        });
    }
}
