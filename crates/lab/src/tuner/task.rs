//! What the tuner lets candidates do: a request over numbers whose result is known.

use std::rc::Rc;
use std::time::{Duration, Instant};

use rasterscan::plan::Layout;
use rasterscan::reference::{self, Kept, Mismatch};
use rasterscan::tuning::Best;
use rasterscan::{Compacted, Error, Gpu, Prepared, Request, ScanSpec, Stream, Timing};

use super::table::Way;
use crate::measure::at_a_time;

/// A request, its numbers, and what is right.
pub(super) struct Task<'a> {
    gpu: &'a Gpu,
    request: Request,
    numbers: Vec<u32>,
    expected: Expected,
    /// The numbers as candidates read them, in each layout once.
    streams: Vec<(Layout, Rc<Stream>)>,
}

enum Expected {
    Scan(ScanSpec, Vec<u32>),
    Compact(Kept<u32>),
}

/// A way to do it by which the result was right.
pub(super) struct Candidate {
    pub best: Best,
    /// The second run, of which the first was to verify.
    pub took: Duration,
    prepared: Prepared,
    input: Rc<Stream>,
    /// The fastest run so far.
    fastest: Option<Duration>,
}

impl Task<'_> {
    pub fn new(gpu: &Gpu, request: Request) -> Result<Task<'_>, Error> {
        let numbers: Vec<u32> = (0..request.len() as u32).map(number).collect();
        let expected = match &request {
            Request::Scan(spec) => Expected::Scan(spec.clone(), reference::scan(spec, &numbers)?),
            Request::Compact(spec) => Expected::Compact(reference::compact(spec, &numbers, &[])?),
        };
        Ok(Task { gpu, request, numbers, expected, streams: Vec::new() })
    }

    /// Runs a way once to see that it is right and once to see how long it takes.
    pub fn candidate(&mut self, way: &Way) -> Result<Candidate, Error> {
        let mut prepared = self.gpu.prepare(&way.plan)?;
        let input = self.stream(prepared.input_layout())?;
        let right = match &self.expected {
            Expected::Scan(spec, expected) => {
                let result: Vec<u32> = prepared.run(&input)?.read()?;
                // Equal is right; where it is not, this says what is wrong.
                match result == *expected {
                    true => Ok(()),
                    false => reference::verify(spec, way.plan.cost().depth, &self.numbers, &result).map(drop),
                }
            }
            Expected::Compact(kept) => {
                let result = Compacted::from(prepared.run_with(&[&input])?);
                let (count, values) = (result.read_count()?, result.read_values::<u32>()?);
                kept.verify(count, Some(&values), None).map(drop)
            }
        };
        right.map_err(|mismatch| self.wrong(way, mismatch))?;
        let start = Instant::now();
        prepared.time(&input)?;
        Ok(Candidate { best: way.best, took: start.elapsed(), prepared, input, fastest: None })
    }

    fn stream(&mut self, layout: &Layout) -> Result<Rc<Stream>, Error> {
        if let Some((_, stream)) = self.streams.iter().find(|(known, _)| known == layout) {
            return Ok(Rc::clone(stream));
        }
        let stream = Rc::new(self.gpu.upload(layout, &self.numbers)?);
        self.streams.push((*layout, Rc::clone(&stream)));
        Ok(stream)
    }

    fn wrong(&self, way: &Way, mismatch: Mismatch) -> Error {
        let (request, mismatch) = (Box::new(self.request.clone()), Box::new(mismatch));
        Error::WrongResult { algorithm: way.name.clone(), request, mismatch }
    }
}

impl Candidate {
    /// The time of a run: the mean of several where they are short.
    pub fn time(&mut self) -> Result<Timing, Error> {
        let timing = self.prepared.time_runs_with(&[&self.input], self.fastest.map_or(1, at_a_time))?;
        self.fastest = Some(self.fastest.map_or(timing.total, |fastest| fastest.min(timing.total)));
        Ok(timing)
    }
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
