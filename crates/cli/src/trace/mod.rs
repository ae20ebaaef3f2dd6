//! `trace`: a run with everything that its passes read and wrote, as pictures or as a file.

mod output;
mod picture;
mod run;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use rasterscan::trace::colour::Palette;
use rasterscan::trace::{FileError, Recording};

use super::call::{GivenOptions, named};
use super::compact::CompactArguments;
use super::console::Console;
use super::device::DeviceOptions;
use super::exit::Usage;
use super::scan::ScanArguments;
use output::Target;

/// Show every texture after every pass: a folder of PNG, an animated PNG, or the trace as a file
#[derive(Debug, Args)]
#[command(after_long_help = OUT)]
pub struct TraceOptions {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Trace a scan; INPUT and options as those of `scan`
    #[command(after_long_help = SCAN)]
    Scan {
        #[command(flatten)]
        scan: ScanArguments,
        #[command(flatten)]
        given: GivenOptions,
        #[command(flatten)]
        out: OutOptions,
    },
    /// Trace a compaction; INPUT and options as those of `compact`
    #[command(after_long_help = COMPACT)]
    Compact {
        #[command(flatten)]
        compact: CompactArguments,
        #[command(flatten)]
        given: GivenOptions,
        #[command(flatten)]
        out: OutOptions,
    },
    /// Make pictures of a trace that was saved as .json; needs no OpenGL
    #[command(after_long_help = SHOW)]
    Show {
        /// The trace: a .json that `trace` wrote
        file: OsString,
        #[command(flatten)]
        out: OutOptions,
    },
}

/// Where a trace goes, and how it looks.
#[derive(Debug, Args)]
struct OutOptions {
    /// A folder, new or empty, for a PNG a pass; or a file: .apng (one frame a pass) or .json (the trace)
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
}

const OUT: &str = "\
OUT:
  FOLDER           new or empty: input.png, then 01-PHASE.png and so on,
                   one a pass; all of them appear, or none
  .apng            one frame a pass, about a second each, for ever
  .json            the trace itself, for `trace show` and for the app

Examples:
  rasterscan trace scan random:n=16 -a horn -o horn
  rasterscan trace compact random:n=16,keep=0.5 -a blocks -o blocks.apng
  rasterscan trace scan random:n=1024 -a hybrid -o hybrid.json
  rasterscan trace show hybrid.json -o hybrid";

const SCAN: &str = "\
INPUT is what `scan` takes, of at most 65536 items. See `trace --help` for OUT.

Examples:
  rasterscan trace scan random:n=16 -a horn -o horn
  seq 1 64 | rasterscan trace scan - --op max --exclusive -o highest.apng";

const COMPACT: &str = "\
INPUT is what `compact` takes, of at most 65536 items. See `trace --help` for
OUT.

Examples:
  rasterscan trace compact random:n=16,keep=0.5 -a blocks -o blocks
  seq 1 64 | rasterscan trace compact - --keep '>7' -o kept.apng";

const SHOW: &str = "\
See `trace --help` for OUT.

Example:
  rasterscan trace show hybrid.json -o hybrid.apng";

pub fn run(options: &TraceOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    match &options.what {
        What::Scan { scan, given, out } => {
            let target = Target::new(&out.output)?;
            let recording = run::record(&scan.ask(given), device, console)?;
            target.write(&recording, out.palette, console)
        }
        What::Compact { compact, given, out } => {
            if let Some(file) = compact.indices_file() {
                let file = file.display();
                return Err(Usage(format!(
                    "--indices={file} names a file, and a trace has all in OUT; expected --indices"
                ))
                .into());
            }
            let target = Target::new(&out.output)?;
            let mask = compact.mask()?;
            let recording = run::record(&compact.ask(given, mask.as_ref()), device, console)?;
            target.write(&recording, out.palette, console)
        }
        What::Show { file, out } => {
            let target = Target::new(&out.output)?;
            target.write(&load(Path::new(file))?, out.palette, console)
        }
    }
}

fn load(path: &Path) -> anyhow::Result<Recording> {
    Recording::load(path).map_err(|error| match error {
        error @ FileError::Read { .. } => error.into(),
        error => anyhow::Error::from(error).context(path.display().to_string()),
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use rasterscan_fuzz::Fuzz;

    /// A recording that is read is the same after it was written, and can be painted.
    #[test]
    fn fuzz() {
        let saved = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/traces.jsonl.gz");
        let mut text = String::new();
        flate2::read::GzDecoder::new(std::fs::File::open(saved).unwrap()).read_to_string(&mut text).unwrap();
        let corpus =
            text.lines().filter(|line| line.len() < 11_000).map(|line| line.as_bytes().to_vec()).collect();
        let words =
            ["null", "\"phase\":", "\"stream\":", "\"width\":", "\"len\":", "\"draw\"", ",", "}", "]"];
        Fuzz { name: "trace", corpus, words: &words, repair: |_| {}, cases: 300 }.run(|bytes| {
            let recording = match Recording::from_json(bytes) {
                Ok(recording) => recording,
                Err(error) => return error.to_string(),
            };
            // As text, since a coordinate may be no number, which equals nothing.
            let written = recording.to_json().unwrap();
            assert!(
                Recording::from_json(&written).unwrap().to_json().unwrap() == written,
                "another recording"
            );
            let pictures = picture::Pictures::new(&recording, Palette::Viridis);
            let last = pictures.paint(pictures.len() - 1);
            format!("painted {} {:?}", recording.request, last.err())
        });
    }
}
