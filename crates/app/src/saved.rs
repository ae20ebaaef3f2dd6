//! Runs that come with the app, for devices that cannot make them: recorded with llvmpipe, and checked against today's
//! shaders by `crates/cli/tests/app/saved.rs`. The feature `saved` builds them in; a page fetches the file and gives it to
//! [`provide`].

use std::io::Read;
use std::sync::OnceLock;

use rasterscan::Job;
use rasterscan::registry::{self, Era};
use rasterscan::trace::Recording;
use rasterscan_lesson::tour::STOPS;

use super::job::{self, Settled};
use super::tour;

/// A recording per line, in the order of [`jobs`], compressed by gzip. Empty until provided.
static FILE: OnceLock<Vec<u8>> = OnceLock::new();

fn file() -> &'static [u8] {
    #[cfg(feature = "saved")]
    const BUILT_IN: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/traces.jsonl.gz"));
    #[cfg(not(feature = "saved"))]
    const BUILT_IN: &[u8] = &[];
    FILE.get().map_or(BUILT_IN, Vec::as_slice)
}

/// Gives the content of the file of saved runs, `assets/traces.jsonl.gz`, to a build without the feature `saved`. Only the
/// first call counts.
pub fn provide(content: Vec<u8>) {
    let _ = FILE.set(content);
}

/// Runs of eight tiles that look at each other, which take turns.
const TILES: [&str; 4] = [
    "look_back:group=1,rows=1,withhold=prefix",
    "look_back:group=1,rows=1,withhold=all",
    "sam:group=1,rows=1,groups=3,turns=on",
    "sam:group=1,rows=1,groups=3,withhold=all",
];

/// The saved jobs: the first runs of all tour stops, a run of a few items for each algorithm not in the tour, and runs of
/// tiles for teaching.
pub fn jobs() -> Vec<Job> {
    let stops = STOPS.iter().flat_map(|stop| {
        let own = stop.job(0);
        let beside = stop.beside.as_deref().and_then(|algorithm| tour::by(stop, 0, algorithm));
        [own].into_iter().chain(beside)
    });
    let mut jobs: Vec<Job> = stops.collect();
    for card in registry::all().filter(|card| card.era != Era::Cpu) {
        if jobs.iter().any(|job| std::ptr::eq(job::choice(job).card, card)) {
            continue;
        }
        let job = job::usual(card);
        // Enough items for several tiles.
        let source = if card.era == Era::Compute { job.source.with_len(72) } else { job.source.clone() };
        jobs.push(Job { source, ..job });
    }
    let tiles = TILES.map(|algorithm| Job::parse(["scan", "random:n=32,max=9", "-a", algorithm]));
    jobs.extend(tiles.into_iter().flatten());
    jobs
}

/// The saved run that is closest to a job: the same job, or at least the same algorithm.
pub fn like(settled: &Settled) -> Option<Recording> {
    let jobs = jobs();
    let akin = |index: &usize| std::ptr::eq(job::choice(&jobs[*index]).card, settled.choice.card);
    let akin: Vec<usize> = (0..jobs.len()).filter(akin).collect();
    let traces = traces().ok()?;
    let recording = |index: &usize| Recording::from_json(traces.get(*index)?.as_bytes()).ok();
    let recordings: Vec<Recording> = akin.iter().filter_map(recording).collect();
    let closeness = |recording: &Recording| {
        let inputs = recording.inputs.iter().map(|content| &content.values);
        let asked = recording.request == settled.request;
        let same = recording.algorithm == settled.choice.to_string();
        (asked && inputs.eq(&settled.streams), asked, same)
    };
    // The first of several that are equally close.
    recordings.into_iter().rev().max_by_key(closeness)
}

/// The recordings of [`jobs`], as JSON.
///
/// Errors: as text, if the file is damaged or was not provided.
pub fn traces() -> Result<Vec<String>, String> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(file()).read_to_string(&mut text).map_err(|error| error.to_string())?;
    Ok(text.lines().map(str::to_owned).collect())
}
