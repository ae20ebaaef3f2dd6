//! A task: a request with its numbers. It uploads them, runs a plan, reads the results, and checks them against the
//! reference.
//!
//! The program, the app, the tuner, the lab, recordings and conformance all run algorithms through it.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use crate::algorithm::results::{Mismatch, Results, Verified};
use crate::algorithm::{InputInfo, Output, Request};
use crate::error::Error;
use crate::for_element;
use crate::gl::{Gpu, Outputs, Prepared, Stream, Timing};
use crate::job::Job;
use crate::numbers::Numbers;
use crate::plan::Plan;

/// A compiled plan with its input streams on the device, ready to run and be timed.
pub struct Ready {
    /// The compiled plan.
    pub prepared: Prepared,
    /// The inputs; other plans may share them if they read the same layout.
    pub streams: Vec<Rc<Stream>>,
}

impl Ready {
    /// The plan.
    pub fn plan(&self) -> &Plan {
        self.prepared.plan()
    }

    /// Runs the plan once.
    ///
    /// Errors: as [`Prepared::run`].
    pub fn run(&mut self) -> Result<Outputs<'_>, Error> {
        self.prepared.run(&borrowed(&self.streams))
    }

    /// The mean time of `runs` runs.
    ///
    /// Errors: as [`Prepared::time_runs`].
    pub fn time(&mut self, runs: u32) -> Result<Timing, Error> {
        self.prepared.time_runs(borrowed(&self.streams), runs)
    }

    /// The time of each pass alone.
    ///
    /// Errors: as [`Prepared::time_passes`].
    pub fn time_passes(&mut self) -> Result<Timing, Error> {
        self.prepared.time_passes(borrowed(&self.streams))
    }
}

impl fmt::Debug for Ready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ready").field("plan", &self.plan().name()).finish_non_exhaustive()
    }
}

pub(crate) fn borrowed(streams: &[Rc<Stream>]) -> Vec<&Stream> {
    streams.iter().map(|stream| &**stream).collect()
}

/// A request with the numbers of its streams, which fit it.
#[derive(Debug, Clone)]
pub struct Task<'a> {
    request: Request,
    inputs: Vec<Cow<'a, Numbers>>,
    /// The reference, computed on first use for all algorithms.
    answer: OnceCell<Results>,
}

impl<'a> Task<'a> {
    /// A request with its streams, owned or borrowed, each as long as the request says, the main one first.
    ///
    /// Errors: [`Error::Spec`], [`Error::Inputs`], [`Error::Length`], [`Error::ElementMismatch`], and those of
    /// [`Spec::check_inputs`](crate::algorithm::Spec::check_inputs).
    pub fn new(
        request: impl Into<Request>,
        inputs: impl IntoIterator<Item = impl Into<Cow<'a, Numbers>>>,
    ) -> Result<Task<'a>, Error> {
        let request = request.into();
        request.check()?;
        let inputs: Vec<Cow<'_, Numbers>> = inputs.into_iter().map(Into::into).collect();
        let expected = request.inputs();
        if inputs.len() != expected.len() {
            return Err(Error::Inputs { got: inputs.len(), expected: expected.len() });
        }
        for (given, input) in inputs.iter().zip(expected) {
            let (got, len) = (given.len() as u64, input.elements());
            if got != len {
                return Err(Error::Length { what: input.name, got, expected: len });
            }
            if given.element() != input.element {
                let (what, got) = (input.name, given.element());
                return Err(Error::ElementMismatch { what, got, expected: input.element });
            }
        }
        let task = Task { request, inputs, answer: OnceCell::new() };
        task.request.check_inputs(&task.inputs())?;
        Ok(task)
    }

    /// The task of a job that generates its numbers.
    ///
    /// Errors: as [`Job::streams`], [`Job::request_of`] and [`Self::new`].
    pub fn of_job(job: &Job) -> Result<Task<'static>, Error> {
        let streams = job.streams()?;
        Task::new(job.request_of(InputInfo::of(&streams[0]), &streams)?, streams)
    }

    /// The same task with other results in place of the reference, for tests of wrong results.
    #[doc(hidden)]
    pub fn expecting(self, answer: Results) -> Task<'a> {
        Task { answer: answer.into(), ..self }
    }

    /// The request.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The streams, the main one first.
    pub fn inputs(&self) -> Vec<&Numbers> {
        self.inputs.iter().map(|numbers| &**numbers).collect()
    }

    /// Compiles a plan of the request, and uploads the streams that it reads.
    ///
    /// Errors: as [`Gpu::prepare`] and [`Prepared::upload_input`].
    pub fn prepare(&self, gpu: &Gpu, plan: &Plan) -> Result<Ready, Error> {
        let prepared = gpu.prepare(plan)?;
        let streams = self.upload(&prepared)?;
        Ok(Ready { prepared, streams })
    }

    /// Uploads the streams that a plan reads: the first ones, if it is a copy and reads only the stream itself.
    ///
    /// Errors: as [`Prepared::upload_input`].
    pub fn upload(&self, prepared: &Prepared) -> Result<Vec<Rc<Stream>>, Error> {
        let upload = |(number, numbers): (usize, &Cow<'_, Numbers>)| for_element!(numbers.element(), T => prepared.upload_input::<T>(number, numbers.get()?));
        let read = prepared.plan().inputs().len();
        self.inputs.iter().take(read).enumerate().map(|input| upload(input).map(Rc::new)).collect()
    }

    /// Runs once and reads all results.
    ///
    /// Errors: as [`Prepared::run`] and [`Stream::read`].
    pub fn run(&self, ready: &mut Ready) -> Result<Results, Error> {
        self.read(ready.run()?)
    }

    /// Reads all results of a run. Waits for the GPU.
    ///
    /// Errors: as [`Stream::read`].
    pub fn read(&self, outputs: Outputs<'_>) -> Result<Results, Error> {
        let only = self.request.outputs().len() == 1;
        self.gather(|output, first| {
            let named = if only { None } else { outputs.get(output.name) };
            let stream = named.unwrap_or_else(|| outputs.first());
            Ok(for_element!(output.element, T => match first {
                // A count that is wrong is found by the check, with the numbers that are there.
                Some(count) => stream.read_first::<T>(count.min(stream.layout().len))?.into(),
                None => stream.read::<T>()?.into(),
            }))
        })
    }

    /// Gathers all results of a run by any engine: `read` returns the numbers of an output, all or the first ones.
    ///
    /// Errors: those of `read`.
    pub fn gather<E>(
        &self,
        mut read: impl FnMut(&Output, Option<u64>) -> Result<Numbers, E>,
    ) -> Result<Results, E> {
        let wanted = self.request.outputs();
        let count = match wanted.contains(&Output::COUNT) {
            true => Some(read(&Output::COUNT, None)?.words().first().map_or(0, |count| u64::from(*count))),
            false => None,
        };
        let streams = wanted.iter().map(|output| {
            let valid = match output {
                Output { counted: true, .. } => count,
                _ => self.request.valid(output, &self.inputs()),
            };
            Ok((*output, read(output, valid)?))
        });
        Ok(Results::new(streams.collect::<Result<Vec<_>, E>>()?))
    }

    /// Computes the reference.
    ///
    /// Errors: as [`Spec::solve`](crate::algorithm::Spec::solve).
    pub fn solve(&self) -> Result<Results, Error> {
        self.request.solve(&self.inputs())
    }

    /// Checks results against the reference. `depth` is that of the passes that gave them
    /// ([`Cost::depth`](crate::plan::Cost::depth) of all of them); `None` if the results are the reference itself.
    ///
    /// Errors: the first wrong index.
    pub fn verify(&self, depth: Option<u64>, results: &Results) -> Result<Verified, Mismatch> {
        let exact = self.request.is_exact() || self.answer.get().is_some();
        if exact && self.answer.get().is_none() {
            // Without memory for it, the check needs none.
            self.solve().into_iter().for_each(|answer| drop(self.answer.set(answer)));
        }
        match self.answer.get() {
            Some(answer) => results.same(answer),
            None => self.request.verify(&self.inputs(), depth, results),
        }
    }
}

impl<'a> From<&'a Numbers> for Cow<'a, Numbers> {
    fn from(numbers: &'a Numbers) -> Cow<'a, Numbers> {
        Cow::Borrowed(numbers)
    }
}

impl From<Numbers> for Cow<'_, Numbers> {
    fn from(numbers: Numbers) -> Self {
        Cow::Owned(numbers)
    }
}
