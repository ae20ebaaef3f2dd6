//! A task: a request with its streams, and what the oracle says of results. Everything that is run, by whomever, is run and
//! verified through this.

use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use crate::algorithm::results::{Mismatch, Results, Verified};
use crate::algorithm::{Output, Request};
use crate::error::Error;
use crate::for_element;
use crate::gl::{Gpu, Outputs, Prepared, Stream, Timing};
use crate::numbers::Numbers;
use crate::plan::Plan;

/// A plan that is compiled, with the streams that it reads on the device: it can run and be timed.
pub struct Ready {
    pub prepared: Prepared,
    /// May be shared with other plans that read them in the same layout.
    pub streams: Vec<Rc<Stream>>,
}

impl Ready {
    /// The plan.
    pub fn plan(&self) -> &Plan {
        self.prepared.plan()
    }

    /// Errors: as [`Prepared::run_with`].
    pub fn run(&mut self) -> Result<Outputs<'_>, Error> {
        self.prepared.run_with(&borrowed(&self.streams))
    }

    /// The time of a run: the mean of so many.
    ///
    /// Errors: as [`Prepared::time_runs_with`].
    pub fn time(&mut self, runs: u32) -> Result<Timing, Error> {
        self.prepared.time_runs_with(&borrowed(&self.streams), runs)
    }

    /// The time of each pass alone.
    ///
    /// Errors: as [`Prepared::time_passes_with`].
    pub fn time_passes(&mut self) -> Result<Timing, Error> {
        self.prepared.time_passes_with(&borrowed(&self.streams))
    }
}

impl fmt::Debug for Ready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ready").field("plan", &self.plan().name()).finish_non_exhaustive()
    }
}

fn borrowed(streams: &[Rc<Stream>]) -> Vec<&Stream> {
    streams.iter().map(|stream| &**stream).collect()
}

/// A request with its streams.
#[derive(Debug)]
pub struct Task<'a> {
    request: Request,
    inputs: Vec<&'a Numbers>,
    /// What the oracle gives, once somebody asks: found once, for all algorithms.
    answer: OnceCell<Results>,
}

impl<'a> Task<'a> {
    /// Of streams that are as long as the request says: the stream itself first.
    ///
    /// Errors: [`Error::Spec`], [`Error::Inputs`], [`Error::Length`], [`Error::ElementMismatch`].
    pub fn new(
        request: impl Into<Request>,
        inputs: impl IntoIterator<Item = &'a Numbers>,
    ) -> Result<Task<'a>, Error> {
        let request = request.into();
        request.check()?;
        let inputs: Vec<&Numbers> = inputs.into_iter().collect();
        let expected = request.inputs();
        if inputs.len() != expected.len() {
            return Err(Error::Inputs { got: inputs.len(), expected: expected.len() });
        }
        for (given, input) in inputs.iter().zip(expected) {
            let (got, len) = (given.len() as u64, request.len() * u64::from(input.arity));
            if got != len {
                return Err(Error::Length { what: input.name, got, expected: len });
            }
            if given.element() != input.element {
                let (what, got) = (input.name, given.element());
                return Err(Error::ElementMismatch { what, got, expected: input.element });
            }
        }
        Ok(Task { request, inputs, answer: OnceCell::new() })
    }

    /// With another answer than the oracle's, for tests of what happens to wrong results.
    #[doc(hidden)]
    pub fn expecting(self, answer: Results) -> Task<'a> {
        Task { answer: answer.into(), ..self }
    }

    /// What is asked.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The streams.
    pub fn inputs(&self) -> &[&'a Numbers] {
        &self.inputs
    }

    /// Compiles a plan of the request, and uploads the streams that it reads.
    ///
    /// Errors: as [`Gpu::prepare`] and [`Prepared::upload_input`].
    pub fn prepare(&self, gpu: &Gpu, plan: &Plan) -> Result<Ready, Error> {
        let prepared = gpu.prepare(plan)?;
        let streams = self.upload(&prepared)?;
        Ok(Ready { prepared, streams })
    }

    /// Uploads the streams that a plan reads.
    ///
    /// Errors: as [`Prepared::upload_input`].
    pub fn upload(&self, prepared: &Prepared) -> Result<Vec<Rc<Stream>>, Error> {
        let upload = |(number, numbers): (usize, &&Numbers)| for_element!(numbers.element(), T => prepared.upload_input::<T>(number, numbers.get()?));
        self.inputs.iter().enumerate().map(|input| upload(input).map(Rc::new)).collect()
    }

    /// Runs once, and reads everything that comes out.
    ///
    /// Errors: as [`Prepared::run_with`] and [`Stream::read`].
    pub fn run(&self, ready: &mut Ready) -> Result<Results, Error> {
        self.read(ready.run()?)
    }

    /// Reads everything that a run gave. Waits for the GPU.
    ///
    /// Errors: as [`Stream::read`].
    pub fn read(&self, outputs: Outputs<'_>) -> Result<Results, Error> {
        let wanted = self.request.outputs();
        let found = |output: &Output| match &wanted[..] {
            [_] => outputs.first(),
            _ => outputs.get(output.name).unwrap_or_else(|| outputs.first()),
        };
        let count = match wanted.contains(&Output::COUNT) {
            true => Some(found(&Output::COUNT).read::<u32>()?.first().map_or(0, |count| u64::from(*count))),
            false => None,
        };
        let read = |output: Output| {
            let stream = found(&output);
            let numbers = for_element!(output.element, T => match count.filter(|_| output.counted) {
                Some(count) => stream.read_first::<T>(count)?.into(),
                None => stream.read::<T>()?.into(),
            });
            Ok((output, numbers))
        };
        let streams = wanted.iter().copied().map(read).collect::<Result<Vec<_>, Error>>()?;
        Ok(Results::new(streams))
    }

    /// Runs the oracle itself.
    ///
    /// Errors: as [`Spec::solve`](crate::Spec::solve).
    pub fn solve(&self) -> Result<Results, Error> {
        self.request.solve(&self.inputs)
    }

    /// Holds results against the oracle. Passes of this depth ([`Cost::depth`](crate::plan::Cost::depth) of all of them) gave
    /// them; with none, it was the oracle itself.
    ///
    /// Errors: the first place that is wrong.
    pub fn verify(&self, depth: Option<u64>, results: &Results) -> Result<Verified, Mismatch> {
        let exact = self.request.is_exact() || self.answer.get().is_some();
        if exact && self.answer.get().is_none() {
            // Where there is no memory for it, one can do without.
            self.solve().into_iter().for_each(|answer| drop(self.answer.set(answer)));
        }
        match self.answer.get() {
            Some(answer) => results.same(answer),
            None => self.request.verify(&self.inputs, depth, results),
        }
    }
}
