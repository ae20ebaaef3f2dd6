//! Scans of streams that are longer than the device, or arrive bit by bit: chunk by chunk, with what goes on from one to
//! the next kept on the GPU.

use std::collections::HashMap;
use std::fmt;

use crate::algorithm::{Request, Spec};
use crate::auto;
use crate::element::Element;
use crate::error::Error;
use crate::gl::{Gpu, Prepared, Stream};
use crate::layout::Layout;
use crate::limits::SpecError;
use crate::numbers::Numbers;
use crate::operator::MOST_ELEMENTS;
use crate::scan::ScanSpec;
use crate::task::Task;
use crate::unsupported::Unsupported;

/// A scan that goes on from chunk to chunk: [`Gpu::scan_chunks`].
pub struct Chunks<T> {
    gpu: Gpu,
    spec: ScanSpec,
    /// By the chunk's items, and its layout if it is on the GPU already.
    plans: HashMap<(u64, Option<Layout>), Prepared>,
    /// The sum of all chunks so far; `None` before the first on the GPU.
    carry: Option<Stream>,
    /// Where the next total goes.
    spare: Option<Stream>,
    /// The carry of the first chunk on the GPU, and of those on the CPU.
    first: Vec<T>,
}

impl Gpu {
    /// A scan of a stream in chunks, by the algorithm that suits each. `spec` says everything but the length, which each
    /// chunk has of its own: a multiple of the tuple. It must be of order 1, over a whole stream, from the first item on.
    /// Integers come out as in one scan; sums of floats are put together in another order.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), rasterscan::Error> {
    /// use rasterscan::{Gpu, ScanSpec};
    /// let gpu = Gpu::headless()?;
    /// let mut sums = gpu.scan_chunks(&ScanSpec::new::<u32>(0))?;
    /// assert_eq!(sums.next_chunk(&[3u32, 1, 7])?, [3, 4, 11]);
    /// assert_eq!(sums.next_chunk(&[0, 4])?, [11, 15]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Errors: [`Error::Spec`] for another order, rows, columns, segments, a direction, a seed, or a length on the GPU;
    /// [`Error::ElementMismatch`].
    pub fn scan_chunks<T: Element>(&self, spec: &ScanSpec) -> Result<Chunks<T>, Error> {
        let spec = ScanSpec { len: 0, ..spec.clone() };
        if !spec.is_whole() || spec.order > 1 {
            return Err(SpecError::Chunks.into());
        }
        Spec::check(&spec)?;
        if spec.element != T::TYPE {
            return Err(Error::ElementMismatch { what: "the chunks", got: T::TYPE, expected: spec.element });
        }
        let identity = spec.operator.identity::<T, MOST_ELEMENTS>();
        let first = identity[..spec.operator.arity() as usize].repeat(spec.tuple as usize);
        let (plans, carry, spare) = (HashMap::new(), None, None);
        Ok(Chunks { gpu: self.clone(), spec, plans, carry, spare, first })
    }
}

impl<T: Element> Chunks<T> {
    /// The scan of the next chunk. A plan is made for each length that occurs, and kept.
    ///
    /// Errors: as [`Gpu::scan_by`]. After an error the scan can go on with the same chunk.
    pub fn next_chunk(&mut self, chunk: &[T]) -> Result<Vec<T>, Error> {
        let spec = self.spec_of(chunk.len() as u64)?;
        if chunk.is_empty() {
            return Ok(Vec::new());
        }
        let Some(prepared) = self.prepared(&spec, None, Some(chunk))? else {
            return self.next_on_the_cpu(&spec, chunk);
        };
        let input = prepared.upload(chunk)?;
        self.run((spec.len, None), prepared, &input, Stream::read)
    }

    /// The scans of chunks, one after the other.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), rasterscan::Error> {
    /// use rasterscan::{Gpu, ScanSpec};
    /// let data = vec![1u32; 1000];
    /// let mut sums = Gpu::headless()?.scan_chunks(&ScanSpec::new::<u32>(0))?;
    /// for scanned in sums.over(data.chunks(300)) {
    ///     println!("up to {:?}", scanned?.last());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Errors: as [`Self::next_chunk`], in place of a scan.
    pub fn over<C: AsRef<[T]>>(
        &mut self,
        chunks: impl IntoIterator<Item = C>,
    ) -> impl Iterator<Item = Result<Vec<T>, Error>> {
        chunks.into_iter().map(|chunk| self.next_chunk(chunk.as_ref()))
    }

    /// The scan of the next chunk, which is on the GPU in any layout; so is the result, in a stream of its own. What goes on
    /// to the next chunk stays there, too.
    ///
    /// Errors: as [`Self::next_chunk`]; [`Error::Unsupported`] if no algorithm of this device serves it.
    pub fn next_stream(&mut self, chunk: &Stream) -> Result<Stream, Error> {
        let layout = *chunk.layout();
        let spec = self.spec_of(layout.elements())?;
        let Some(prepared) = self.prepared(&spec, Some(layout), None)? else {
            return Err(Unsupported::request("no algorithm of this device serves these chunks").into());
        };
        self.run((spec.len, Some(layout)), prepared, chunk, |result| Ok(result.clone()))
    }

    /// The scan of a chunk of so many elements.
    fn spec_of(&self, elements: u64) -> Result<ScanSpec, Error> {
        let len = elements / u64::from(self.spec.operator.arity());
        let spec = ScanSpec { len, ..self.spec.clone() }.with_seed().with_total();
        Spec::check(&spec)?;
        if elements != spec.elements() {
            return Err(Error::Length { what: "the chunk", got: elements, expected: spec.elements() });
        }
        Ok(spec)
    }

    /// The plan for chunks of this spec, in a layout if it is given: the kept one, or a new one. `None` if none serves them.
    /// `chunk` is for a check of the choice.
    fn prepared(
        &mut self,
        spec: &ScanSpec,
        layout: Option<Layout>,
        chunk: Option<&[T]>,
    ) -> Result<Option<Prepared>, Error> {
        if let Some(kept) = self.plans.remove(&(spec.len, layout)) {
            return Ok(Some(kept));
        }
        let request = Request::from(spec);
        let task = || match chunk {
            Some(chunk) => {
                Task::new(&request, [Numbers::of(chunk), Numbers::of(&carried(&self.carry, &self.first)?)])
            }
            None => auto::sample(&request),
        };
        let Some(mut plan) = auto::choose(&self.gpu, &request, None, task)?.plan else { return Ok(None) };
        if let (Some(layout), Some(seed)) = (layout, plan.inputs().nth(1)) {
            plan = plan.for_inputs(&[(layout, None), (*plan.layout(seed), None)])?;
        }
        self.gpu.prepare(&plan).map(Some)
    }

    /// Runs a plan, takes what is wanted of the result, and keeps the plan.
    fn run<R>(
        &mut self,
        key: (u64, Option<Layout>),
        mut prepared: Prepared,
        input: &Stream,
        take: impl FnOnce(&Stream) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let suits = |stream: &Stream, prepared: &Prepared| prepared.input_layout(1) == Some(stream.layout());
        let carry = match self.carry.take() {
            Some(carry) if suits(&carry, &prepared) => carry,
            // Another algorithm keeps its seed elsewhere.
            Some(carry) => prepared.upload_input(1, &carry.read::<T>()?)?,
            None => prepared.upload_input(1, &self.first)?,
        };
        let mut outputs = prepared.new_outputs()?;
        if let Some(spare) = self.spare.take().filter(|spare| suits(spare, &prepared)) {
            outputs[1] = spare;
        }
        let result = prepared.run_into([input, &carry], &outputs).and_then(|()| take(&outputs[0]));
        self.plans.insert(key, prepared);
        if result.is_err() {
            self.carry = Some(carry);
            return result;
        }
        self.carry = outputs.pop();
        self.spare = Some(carry);
        result
    }

    /// The scan of a chunk that no plan on this device serves.
    fn next_on_the_cpu(&mut self, spec: &ScanSpec, chunk: &[T]) -> Result<Vec<T>, Error> {
        let carry = self.total()?;
        let results = spec.solve(&[&Numbers::of(chunk), &Numbers::of(&carry)])?;
        let of = |name| {
            results.get(name).map_or_else(|| Ok(Vec::new()), |numbers| Ok(numbers.get::<T>()?.to_vec()))
        };
        let total = of("total")?;
        (self.first, self.carry) = (total, None);
        of("values")
    }

    /// The sum of all chunks so far, a tuple: the identity before the first. Waits for the GPU.
    ///
    /// Errors: [`Error::Gl`].
    pub fn total(&self) -> Result<Vec<T>, Error> {
        carried(&self.carry, &self.first)
    }
}

/// The sum of the chunks before, wherever it is.
fn carried<T: Element>(carry: &Option<Stream>, first: &[T]) -> Result<Vec<T>, Error> {
    carry.as_ref().map_or_else(|| Ok(first.to_vec()), Stream::read)
}

impl<T> fmt::Debug for Chunks<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunks").field("spec", &self.spec).finish_non_exhaustive()
    }
}
