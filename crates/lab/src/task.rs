//! What algorithms are run on: a request, its streams, and what the oracle of its family says of results.

use std::cell::OnceCell;

use rasterscan::reference::{self, Kept, Mismatch, Verified};
use rasterscan::{Compacted, Element, Error, Outputs, Prepared, Request, Stream};

/// A request with its streams.
#[derive(Debug)]
pub struct Task<'a, T> {
    pub request: Request,
    values: &'a [T],
    /// Empty where the request asks for none.
    mask: &'a [u32],
    /// Whether results are held against the oracle.
    verify: bool,
    /// What the oracle keeps: found once, for all algorithms. `None` for scans, and where nothing is verified.
    kept: Option<Kept<T>>,
    /// What the oracle makes of integers in a scan, likewise, once somebody asks.
    scanned: OnceCell<Vec<T>>,
}

/// What a run gives.
#[derive(Debug)]
pub struct Results<T> {
    /// The sums, or the values kept; `None` where only indices were asked for.
    pub values: Option<Vec<T>>,
    /// Where the values kept stood.
    pub indices: Option<Vec<u32>>,
    /// How many values a compaction keeps.
    pub kept: Option<u64>,
}

impl<'a, T: Element> Task<'a, T> {
    /// Of streams that are as long as the request says.
    pub fn new(
        request: impl Into<Request>,
        values: &'a [T],
        mask: &'a [u32],
        verify: bool,
    ) -> Result<Task<'a, T>, Error> {
        let request = request.into();
        request.check()?;
        let kept = match &request {
            Request::Compact(spec) if verify => Some(reference::compact(spec, values, mask)?),
            _ => None,
        };
        Ok(Task { request, values, mask, verify, kept, scanned: OnceCell::new() })
    }

    /// With another oracle, for tests of what happens to wrong results.
    #[cfg(any(test, feature = "stub"))]
    pub fn expecting(self, kept: Kept<T>) -> Task<'a, T> {
        Task { kept: Some(kept), ..self }
    }

    /// Uploads the streams that a plan reads.
    pub fn upload(&self, prepared: &Prepared) -> Result<Vec<Stream>, Error> {
        let mut streams = vec![prepared.upload(self.values)?];
        if prepared.plan().inputs().len() > 1 {
            streams.push(prepared.upload_input(1, self.mask)?);
        }
        Ok(streams)
    }

    /// Runs a plan once, and reads everything that it gives.
    pub fn run_prepared(&self, prepared: &mut Prepared, streams: &[&Stream]) -> Result<Results<T>, Error> {
        self.read(prepared.run_with(streams)?)
    }

    /// Reads everything that a run gave.
    pub fn read(&self, outputs: Outputs<'_>) -> Result<Results<T>, Error> {
        match &self.request {
            Request::Scan(_) => {
                Ok(Results { values: Some(outputs.first().read()?), indices: None, kept: None })
            }
            Request::Compact(spec) => {
                let compacted = Compacted::from(outputs);
                Ok(Results {
                    values: spec.moves.values().then(|| compacted.read_values()).transpose()?,
                    indices: spec.moves.indices().then(|| compacted.read_indices()).transpose()?,
                    kept: Some(compacted.read_count()?),
                })
            }
        }
    }

    /// Runs the oracle itself.
    pub fn run_sequential(&self) -> Result<Results<T>, Error> {
        match &self.request {
            Request::Scan(spec) => {
                let values = reference::scan(spec, self.values)?;
                Ok(Results { values: Some(values), indices: None, kept: None })
            }
            Request::Compact(spec) => {
                let Kept { values, indices } = reference::compact(spec, self.values, self.mask)?;
                let kept = Some(indices.len() as u64);
                Ok(Results {
                    values: spec.moves.values().then_some(values),
                    indices: spec.moves.indices().then_some(indices),
                    kept,
                })
            }
        }
    }

    /// Whether the result of a scan of integers is the oracle's; of floats that is no matter of being the same.
    fn is_exactly(&self, values: &[T]) -> bool {
        let Request::Scan(spec) = &self.request else { return false };
        if T::TYPE.is_float() {
            return false;
        }
        self.scanned.get_or_init(|| reference::scan(spec, self.values).unwrap_or_default()) == values
    }

    /// Holds results against the oracle; `None` where nobody wants that. Passes of this depth ([`rasterscan::plan::Cost::depth`] of all
    /// of them) gave them; with none, it was the oracle itself.
    pub fn verify(&self, depth: Option<u64>, results: &Results<T>) -> Result<Option<Verified>, Mismatch> {
        let values = results.values.as_deref();
        match (&self.request, &self.kept) {
            (Request::Scan(spec), _) if self.verify => {
                let values = values.unwrap_or_default();
                if self.is_exactly(values) {
                    return Ok(Some(Verified { compared: spec.elements(), unbounded: 0 }));
                }
                let depth = depth.map_or(spec.len, |depth| depth / u64::from(spec.order));
                reference::verify(spec, depth, self.values, values).map(Some)
            }
            (_, Some(expected)) => {
                let count = results.kept.unwrap_or_default();
                let compared = expected.verify(count, values, results.indices.as_deref())?;
                Ok(Some(Verified { compared, unbounded: 0 }))
            }
            _ => Ok(None),
        }
    }
}

/// Whether a comparison shows that a result is right: no mismatch is no proof where nothing could be compared. Of nothing at
/// all, everything is right.
pub fn holds(verified: Verified) -> bool {
    verified.compared > 0 || verified.unbounded == 0
}

#[cfg(test)]
mod tests {
    use rasterscan::{CompactSpec, Moves, ScanSpec};

    use super::*;

    #[test]
    fn wrong_results_of_either_family_are_found() {
        let input = [3u32, 0, 7, 0];
        let task = Task::new(&ScanSpec::new::<u32>(4), &input, &[], true).unwrap();
        let mut results = task.run_sequential().unwrap();
        assert_eq!(task.verify(None, &results).unwrap().unwrap().compared, 4);
        results.values = Some(vec![3, 3, 10, 11]);
        assert_eq!(task.verify(None, &results).unwrap_err().index, 3);

        let spec = CompactSpec::new::<u32>(4).masked().moves(Moves::Both);
        let right = || Results { values: Some(vec![0, 7]), indices: Some(vec![1, 2]), kept: Some(2) };
        let task = Task::new(&spec, &input, &[0, 9, 1, 0], true).unwrap();
        assert_eq!(task.verify(None, &right()).unwrap().unwrap().compared, 5);
        for wrong in [
            Results { values: Some(vec![0, 3]), ..right() },
            Results { indices: Some(vec![2, 1]), ..right() },
            Results { values: Some(vec![0]), ..right() },
            Results { kept: Some(3), ..right() },
            Results { kept: None, ..right() },
        ] {
            assert!(task.verify(None, &wrong).is_err());
        }
        let unwanted = Task::new(&spec, &input, &[0, 9, 1, 0], false).unwrap();
        assert_eq!(unwanted.verify(None, &Results { kept: None, ..right() }), Ok(None));
    }
}
