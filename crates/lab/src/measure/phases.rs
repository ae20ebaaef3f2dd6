//! The times of passes, each timed alone.

use std::time::Duration;

use rasterscan::tools::clock::Instant;

use rasterscan::Error;
use rasterscan::tools::task::Ready;

use super::statistics::Summary;

/// Consecutive passes of one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseTime {
    /// The name of the phase.
    pub name: &'static str,
    /// The number of passes.
    pub passes: usize,
    /// The sum of the passes' medians.
    pub time: Duration,
}

/// Times the passes of a plan once, and up to `most` times while `budget` lasts.
///
/// Errors: as [`Ready::time_passes`].
pub fn phases(ready: &mut Ready, most: usize, budget: Duration) -> Result<Vec<PhaseTime>, Error> {
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); ready.plan().passes().len()];
    let start = Instant::now();
    for _ in 0..most.max(1) {
        for (times, time) in times.iter_mut().zip(ready.time_passes()?.passes) {
            times.push(time);
        }
        if start.elapsed() > budget {
            break;
        }
    }
    let mut phases: Vec<PhaseTime> = Vec::new();
    for (pass, times) in ready.plan().passes().iter().zip(&times) {
        let time = Summary::of(times).map_or(Duration::ZERO, |summary| summary.median);
        match phases.last_mut().filter(|phase| phase.name == pass.phase) {
            Some(phase) => {
                phase.passes += 1;
                phase.time += time;
            }
            None => phases.push(PhaseTime { name: pass.phase, passes: 1, time }),
        }
    }
    Ok(phases)
}
