//! Scans of streams that are longer than the device, or arrive bit by bit: chunk by chunk, with what goes on from one to
//! the next kept on the GPU.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use crate::algorithm::{Request, Spec};
use crate::auto;
use crate::element::Element;
use crate::error::Error;
use crate::gl::{Gpu, Prepared, Stream};
use crate::limits::SpecError;
use crate::numbers::Numbers;
use crate::operator::MOST_ELEMENTS;
use crate::scan::ScanSpec;

/// A scan that goes on from chunk to chunk: [`Gpu::scan_chunks`].
pub struct Chunks<T> {
    gpu: Gpu,
    spec: ScanSpec,
    /// By the chunk's items.
    plans: HashMap<u64, Prepared>,
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
    /// assert_eq!(sums.next(&[3u32, 1, 7])?, [3, 4, 11]);
    /// assert_eq!(sums.next(&[0, 4])?, [11, 15]);
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
    pub fn next(&mut self, chunk: &[T]) -> Result<Vec<T>, Error> {
        let len = (chunk.len() / self.spec.operator.arity() as usize) as u64;
        let spec = ScanSpec { len, ..self.spec.clone() }.with_seed().with_total();
        Spec::check(&spec)?;
        let elements = spec.elements();
        if chunk.len() as u64 != elements {
            return Err(Error::Length { what: "the chunk", got: chunk.len() as u64, expected: elements });
        }
        if len == 0 {
            return Ok(Vec::new());
        }
        let prepared = match self.plans.entry(len) {
            Entry::Occupied(kept) => kept.into_mut(),
            Entry::Vacant(room) => {
                let request = Request::from(&spec);
                let inputs = || {
                    let carry = carried(&self.carry, &self.first)?;
                    Ok(vec![Numbers::of(chunk), Numbers::of(&carry)])
                };
                let Some(plan) = auto::choose(&self.gpu, &request, None, inputs)?.plan else {
                    return self.next_on_the_cpu(&spec, chunk);
                };
                room.insert(self.gpu.prepare(&plan)?)
            }
        };
        let input = prepared.upload(chunk)?;
        let suits = |stream: &Stream, prepared: &Prepared| {
            let seed = prepared.plan().inputs().nth(1);
            seed.is_some_and(|seed| stream.layout() == prepared.plan().layout(seed))
        };
        let carry = match self.carry.take() {
            Some(carry) if suits(&carry, prepared) => carry,
            // Another algorithm keeps its seed elsewhere.
            Some(carry) => prepared.upload_input(1, &carry.read::<T>()?)?,
            None => prepared.upload_input(1, &self.first)?,
        };
        let mut outputs = prepared.new_outputs()?;
        if let Some(spare) = self.spare.take().filter(|spare| suits(spare, prepared)) {
            outputs[1] = spare;
        }
        let run = prepared.run_into([&input, &carry], [&outputs[0], &outputs[1]]);
        let results = run.and_then(|()| outputs[0].read());
        if results.is_err() {
            self.carry = Some(carry);
            return results;
        }
        self.carry = outputs.pop();
        self.spare = Some(carry);
        results
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
