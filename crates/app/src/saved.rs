//! Runs that come with the app, for devices that cannot make them: recorded with llvmpipe, and held against what the
//! shaders do today by `tests/app/saved.rs`.

use std::io::Read;

use rasterscan::registry::{Era, Family, family};
use rasterscan::trace::Recording;
use rasterscan_lesson::tour::STOPS;

use super::ask::{Ask, Job};
use super::tour;

/// A trace a line, in the order of [`asks`], compressed by gzip.
const FILE: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/traces.jsonl.gz"));

/// What was saved: all that the tour shows at first, and for each algorithm that it does not show a run of a few items.
pub fn asks() -> Vec<Ask> {
    let stops = STOPS.iter().flat_map(|stop| {
        let algorithms = [Some(stop.run.algorithm), stop.beside].into_iter().flatten();
        algorithms.map(|algorithm| tour::ask(stop, 0, algorithm))
    });
    let mut asks: Vec<Ask> = stops.collect();
    for card in
        [Family::Scan, Family::Compact].into_iter().flat_map(family).filter(|card| card.era != Era::Cpu)
    {
        if asks.iter().any(|ask| (ask.family, name(&ask.algorithm)) == (card.family, card.name)) {
            continue;
        }
        let ask = match card.family {
            Family::Scan => Ask::scan(Ask::small(card)),
            Family::Compact => Ask::compact(Ask::small(card)),
        };
        // So many that several tiles have some.
        asks.push(if card.era == Era::Compute { ask.n(72) } else { ask });
    }
    asks
}

/// The run that comes closest to what was asked for: the same, or the same algorithm at the least.
pub fn like(job: &Job) -> Option<Recording> {
    let asks = asks();
    let akin = |index: &usize| {
        let ask = &asks[*index];
        (ask.family, name(&ask.algorithm)) == (job.choice.card.family, job.choice.card.name)
    };
    let akin: Vec<usize> = (0..asks.len()).filter(akin).collect();
    let traces = traces().ok()?;
    let recording = |index: &usize| Recording::from_json(traces.get(*index)?.as_bytes()).ok();
    let recordings: Vec<Recording> = akin.iter().filter_map(recording).collect();
    let closeness = |recording: &Recording| {
        let inputs = recording.inputs.iter().map(|content| &content.values);
        let asked = recording.request == job.request;
        (asked && inputs.eq(&job.streams), asked)
    };
    // Of several that are as close the first.
    recordings.into_iter().rev().max_by_key(closeness)
}

/// The documents of [`asks`].
///
/// Errors: in words, where the file is damaged.
pub fn traces() -> Result<Vec<String>, String> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(FILE).read_to_string(&mut text).map_err(|error| error.to_string())?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// An algorithm without its parameters.
fn name(algorithm: &str) -> &str {
    algorithm.split(':').next().unwrap_or_default()
}
