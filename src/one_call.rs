//! One call for one result: the algorithm is `auto`'s choice.
//!
//! Each call makes a plan, compiles what no earlier call has compiled, uploads the data and reads the result. To run again
//! on the same length, or to keep streams on the GPU, prepare a plan ([`Gpu::prepare`]).

mod chunks;

pub use chunks::Chunks;

use crate::algorithm::Request;
use crate::auto;
use crate::compact::{self, CompactSpec, Condition};
use crate::element::Element;
use crate::error::Error;
use crate::gl::{Compacted, Gpu, Prepared, Stream};
use crate::numbers::Numbers;
use crate::reduce::{self, ReduceSpec};
use crate::scan::{self, ScanSpec};

impl Gpu {
    /// The inclusive prefix sums of `data`: as many numbers. Integers wrap.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), rasterscan::Error> {
    /// let gpu = rasterscan::Gpu::headless()?;
    /// assert_eq!(gpu.scan(&[3u32, 1, 7, 0])?, [3, 4, 11, 11]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Errors: as [`Self::prepare`] and [`Stream::read`].
    pub fn scan<T: Element>(&self, data: &[T]) -> Result<Vec<T>, Error> {
        self.scan_by(&ScanSpec::new::<T>(data.len()), data)
    }

    /// The scan that a spec describes: another operator, exclusive, of an order or of tuples, by rows or columns, reversed.
    /// As many numbers as `data` has. A spec that reads further streams, such as segments, is prepared instead
    /// ([`Gpu::prepare`]).
    ///
    /// Errors: as [`Self::scan`], [`Error::Spec`], [`Error::Length`], and [`Error::Inputs`] for further streams.
    pub fn scan_by<T: Element>(&self, spec: &ScanSpec, data: &[T]) -> Result<Vec<T>, Error> {
        match self.ready(spec, data)? {
            None => scan::sequential(spec, data),
            Some((mut prepared, input)) => prepared.run(&input)?.read(),
        }
    }

    /// The numbers that meet a condition, in their order.
    ///
    /// Errors: as [`Self::scan`], and [`Error::Spec`] if the condition is on another element.
    pub fn compact<T: Element>(&self, data: &[T], condition: Condition) -> Result<Vec<T>, Error> {
        let spec = CompactSpec::new::<T>(data.len()).keep(condition);
        match self.ready(&spec, data)? {
            None => Ok(compact::sequential(&spec, data, &[])?.values),
            Some((mut prepared, input)) => Compacted::try_from(prepared.run([&input])?)?.read_values(),
        }
    }

    /// The sum of `data`; 0 if it is empty. Integers wrap.
    ///
    /// Errors: as [`Self::scan`].
    pub fn sum<T: Element>(&self, data: &[T]) -> Result<T, Error> {
        let sum = self.reduce_by(&ReduceSpec::new::<T>(data.len()), data)?;
        Ok(sum.first().copied().unwrap_or_else(T::zeroed))
    }

    /// The reduction that a spec describes: another operator, or of tuples. One item for each member of the tuple.
    ///
    /// Errors: as [`Self::scan_by`].
    pub fn reduce_by<T: Element>(&self, spec: &ReduceSpec, data: &[T]) -> Result<Vec<T>, Error> {
        match self.ready(spec, data)? {
            None => reduce::sequential(spec, data),
            Some((mut prepared, input)) => prepared.run(&input)?.read(),
        }
    }

    /// The plan of the algorithm that suits a request, prepared, with its input; `None` if that is the CPU's.
    fn ready<T: Element>(
        &self,
        request: impl Into<Request>,
        data: &[T],
    ) -> Result<Option<(Prepared, Stream)>, Error> {
        let request = request.into();
        request.check()?;
        let Some(plan) = auto::choose(self, &request, None, || Ok(vec![Numbers::of(data)]))?.plan else {
            return Ok(None);
        };
        let prepared = self.prepare(&plan)?;
        let input = prepared.upload(data)?;
        Ok(Some((prepared, input)))
    }
}
