//! The task of the tuner's candidates: a request over numbers, verified once and then timed.

use std::rc::Rc;
use std::time::Duration;

use rasterscan::tools::clock::Instant;

use rasterscan::algorithm::results::Mismatch;
use rasterscan::plan::Layout;
use rasterscan::tools::task::{Ready, Task};
use rasterscan::tuning::Best;
use rasterscan::{
    Error, Gpu, Stream,
    device::Clock,
    tools::{Numbers, Request},
};

use super::error::TuneError;
use super::table::Alternative;
use crate::measure::Batch;

/// A run that takes longer finds nothing of the run before in a cache.
const SHORT: Duration = Duration::from_millis(2);

/// A request and its numbers.
pub(super) struct Candidates<'a> {
    gpu: &'a Gpu,
    task: Task<'a>,
    /// The streams as candidates read them, by their numbers and layouts, each once.
    streams: Vec<((usize, Layout), Rc<Stream>)>,
}

/// A candidate whose result was right.
pub(super) struct Candidate {
    pub best: Best,
    /// The time of the second run; the first was to verify.
    pub took: Duration,
    ready: Ready,
    batch: Batch,
}

impl<'a> Candidates<'a> {
    /// The task of a request over its [`numbers`].
    pub fn new(gpu: &'a Gpu, request: &Request, numbers: &'a Numbers) -> Result<Candidates<'a>, Error> {
        Ok(Candidates {
            gpu,
            task: Task::new(request, request.plain_streams(numbers)?)?,
            streams: Vec::new(),
        })
    }

    /// Runs a candidate once to verify it and once to time it.
    pub fn candidate(&mut self, way: &Alternative) -> Result<Candidate, TuneError> {
        let prepared = self.gpu.prepare(&way.plan)?;
        let layouts = way.plan.inputs().map(|slot| *way.plan.layout(slot));
        let streams = layouts.enumerate().map(|(number, layout)| self.stream(number, layout));
        let streams = streams.collect::<Result<_, _>>()?;
        let mut ready = Ready { prepared, streams };
        let results = self.task.run(&mut ready)?;
        let verified = self.task.verify(Some(way.plan.cost().depth), &results);
        verified.map_err(|mismatch| self.wrong(way, mismatch))?;
        let start = Instant::now();
        ready.time(1)?;
        Ok(Candidate { best: way.best, took: start.elapsed(), ready, batch: Batch::default() })
    }

    fn stream(&mut self, number: usize, layout: Layout) -> Result<Rc<Stream>, Error> {
        if let Some((_, stream)) = self.streams.iter().find(|(known, _)| *known == (number, layout)) {
            return Ok(Rc::clone(stream));
        }
        let stream = Rc::new(self.gpu.upload::<u32>(&layout, self.task.inputs()[number].get()?)?);
        self.streams.push(((number, layout), Rc::clone(&stream)));
        Ok(stream)
    }

    fn wrong(&self, way: &Alternative, mismatch: Mismatch) -> TuneError {
        let (request, mismatch) = (Box::new(self.task.request().clone()), Box::new(mismatch));
        TuneError::Wrong { algorithm: way.name.clone(), request, mismatch }
    }
}

impl Candidate {
    /// The time of a run: the mean of several if they are short. Before a short one, its memory is brought to where
    /// repeated runs find it, after all that the others have used since.
    pub fn time(&mut self, clock: &mut Clock) -> Result<Duration, Error> {
        if self.took < SHORT {
            self.ready.time(1)?;
        }
        self.batch.time(|runs| {
            let timing = self.ready.time(runs)?;
            *clock = timing.clock;
            Ok(timing.total)
        })
    }
}

/// The numbers of a request.
pub(super) fn numbers(request: &Request) -> Numbers {
    let count = request.len() as u32 * request.inputs()[0].arity;
    (0..count).map(number).collect::<Vec<u32>>().into()
}

/// The low digits of multiples of an odd number look random enough. Two of five numbers are zero, so that a compaction
/// keeps as many as in the papers.
fn number(index: u32) -> u32 {
    let random = index.wrapping_mul(0x9E37_79B9) >> 8;
    if random % 5 < 2 { 0 } else { random }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_numbers_of_five_are_kept() {
        let kept = (0..100_000).filter(|index| number(*index) != 0).count();
        assert!((59_000..61_000).contains(&kept), "{kept}");
    }
}
