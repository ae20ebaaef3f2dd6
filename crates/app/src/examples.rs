//! Jobs to look at: for pages that cannot ask, and for tests.

use rasterscan::tools::Job;
use rasterscan::tools::registry::{self, Era};
use rasterscan_lesson::tour::STOPS;

use super::{job, tour};

/// Runs of eight tiles that look at each other, which take turns.
const TILES: [&str; 4] = [
    "look_back:group=1,vectors=1,withhold=prefix",
    "look_back:group=1,vectors=1,withhold=all",
    "sam:group=1,vectors=1,groups=3,turns=on",
    "sam:group=1,vectors=1,groups=3,withhold=all",
];

/// Jobs to look at: the first runs of all tour stops, a run of a few items for each algorithm not in the tour, and runs of
/// tiles for teaching.
pub fn jobs() -> Vec<Job> {
    let stops = STOPS.iter().flat_map(|stop| {
        let opening = tour::beginning(stop, 0);
        let beside = opening.beside.map(|choice| stop.job(0).by(choice));
        opening.job.into_iter().chain(beside)
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
