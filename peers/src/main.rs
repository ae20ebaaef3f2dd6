//! `rasterscan-peers CASE ...`: scans, compactions and sorts by others, verified and timed, for `rasterscan compare --peers`.
//!
//! A CASE has the keys of a row of `compare --json`: family, n, element, op, kind, order, tuple, share. Prints one JSON
//! document, whose rows are those of `compare --json`. A peer that is missing, cannot run a case, fails or is wrong is
//! left out, with the reason; none of that is an error.

#![deny(unsafe_code)]

mod cccl;
mod cuda;
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
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;

use rasterscan_lab::case::Case;
use rasterscan_lab::cell::Measured;
use rasterscan_lab::contender::PEERS;
use rasterscan_lab::measure::Protocol;
use rasterscan_lab::peers::PeersDocument;

use peer::{Peer, PeersWanted};

/// Time the scans, compactions and sorts of numpy, the crates rdst and lampshade, CUB, Thrust and SAM
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
    /// The peers, by their names [default: all]
    #[arg(long = "peer", value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(PEERS))]
    peers: Vec<String>,
    /// Only build what the peers need, and keep it in the folder of --cache; as many at a time as there are cores
    #[arg(long, requires = "cache")]
    prepare: bool,
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
    let Options { cases, seconds, renderer, software, cache, prepare, peers: names } = options;
    let asked = |peer: &Peer| names.is_empty() || names.iter().any(|name| name == peer.name());
    let peers: Vec<Peer> = Peer::ALL.into_iter().filter(asked).collect();
    let wanted = PeersWanted { renderer: renderer.clone(), software: *software, cache: cache.clone() };
    if *prepare {
        let all: Vec<(Peer, &Case)> =
            peers.iter().flat_map(|peer| cases.iter().map(|case| (*peer, case))).collect();
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism()?.get() {
                scope.spawn(|| {
                    while let Some((peer, case)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                        peer.prepare(case, &wanted);
                    }
                });
            }
            Ok::<(), std::io::Error>(())
        })?;
        return Ok(());
    }
    let start = Instant::now();
    let mut all = Measured::default();
    for (number, case) in cases.iter().enumerate() {
        let share = seconds.saturating_sub(start.elapsed()) / (cases.len() - number) as u32;
        let measured = timing::measure(case, &peers, &wanted, &Protocol::new(*software, share))?;
        all.rows.extend(measured.rows);
        all.left_out.extend(measured.left_out);
    }
    let mut stdout = std::io::stdout().lock();
    serde_json::to_writer_pretty(&mut stdout, &PeersDocument::new(all))?;
    writeln!(stdout)?;
    Ok(stdout.flush()?)
}
