//! `rasterscan-peers CASE ...`: scans, compactions and sorts by others, verified and timed, for `rasterscan compare --peers`.
//!
//! A CASE has the keys of a row of `compare --json`: family, n, element, op, kind, order, tuple, share. Prints one JSON
//! document, whose rows are those of `compare --json`. A peer that is missing, cannot run a case, fails or is wrong is
//! left out, with the reason; none of that is an error.

#![deny(unsafe_code)]

mod cub;
#[cfg(feature = "lampshade")]
mod lampshade;
mod numpy;
mod peer;
mod process;
#[cfg(feature = "rdst")]
mod rdst;
mod timing;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;

use rasterscan_lab::case::Case;
use rasterscan_lab::cell::Measured;
use rasterscan_lab::measure::Protocol;
use rasterscan_lab::peers::PeersDocument;

use peer::{Peer, PeersWanted};

/// Time the scans, compactions and sorts of numpy, the crates rdst and lampshade, and CUB
#[derive(Debug, Parser)]
#[command(name = "rasterscan-peers", version)]
struct Options {
    /// Cases, as rows of `rasterscan compare --json` have them
    #[arg(value_name = "CASE", required = true, value_parser = case)]
    cases: Vec<Case>,
    /// Total time to measure, in seconds; every case gets an equal share of what is left
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    seconds: Duration,
    /// The renderer that a peer's device should match
    #[arg(long, value_name = "NAME", default_value = "")]
    renderer: String,
    /// That renderer is software: peers run on software, too
    #[arg(long)]
    software: bool,
    /// A folder to keep programs that are built for cases
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

fn case(text: &str) -> Result<Case, String> {
    let case: Case = serde_json::from_str(text).map_err(|error| error.to_string())?;
    case.request().map_err(|error| error.to_string())?;
    Ok(case)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected a number of seconds, such as 30 or 0.5".into())
}

fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr().lock(), "rasterscan-peers: error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let Options { cases, seconds, renderer, software, cache } = options;
    let wanted = PeersWanted { renderer: renderer.clone(), software: *software, cache: cache.clone() };
    let start = Instant::now();
    let mut all = Measured::default();
    for (number, case) in cases.iter().enumerate() {
        let share = seconds.saturating_sub(start.elapsed()) / (cases.len() - number) as u32;
        let measured = timing::measure(case, &Peer::ALL, &wanted, &Protocol::new(*software, share))?;
        all.rows.extend(measured.rows);
        all.left_out.extend(measured.left_out);
    }
    let mut stdout = std::io::stdout().lock();
    serde_json::to_writer_pretty(&mut stdout, &PeersDocument::new(all))?;
    writeln!(stdout)?;
    Ok(stdout.flush()?)
}
