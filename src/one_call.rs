//! One call for one result: the algorithm is `auto`'s choice.
//!
//! Each call makes a plan, compiles what no earlier call has compiled, uploads the data and reads the result. To run again
//! on the same length, or to keep streams on the GPU, call [`Gpu::prepare_auto`].

mod chunks;
mod runs;

pub use chunks::Chunks;

use crate::algorithm::Request;
use crate::algorithm::results::Results;
use crate::auto;
use crate::compact::{self, CompactSpec, Condition, Moves};
use crate::element::Element;
use crate::error::Error;
use crate::gl::{Compacted, Gpu, Prepared, Stream};
use crate::numbers::Numbers;
use crate::plan::Plan;
use crate::reduce::{self, ReduceSpec};
use crate::scan::{self, ScanSpec};
use crate::sort::SortSpec;
use crate::task::Task;
use crate::unsupported::Unsupported;

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

    /// The index of the first smallest number, and the number; `None` if there are none. As in numpy, NaN comes before all
    /// others.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), rasterscan::Error> {
    /// let gpu = rasterscan::Gpu::headless()?;
    /// assert_eq!(gpu.argmin(&[3i32, -1, 7, -1])?, Some((1, -1)));
    /// assert_eq!(gpu.argmax(&[0.5f32, f32::INFINITY])?, Some((1, f32::INFINITY)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Errors: as [`Self::scan`].
    pub fn argmin<T: Element>(&self, data: &[T]) -> Result<Option<(usize, T)>, Error> {
        self.first(&ReduceSpec::new::<T>(data.len()).argmin(), data)
    }

    /// As [`Self::argmin`], of the first largest number.
    ///
    /// Errors: as [`Self::scan`].
    pub fn argmax<T: Element>(&self, data: &[T]) -> Result<Option<(usize, T)>, Error> {
        self.first(&ReduceSpec::new::<T>(data.len()).argmax(), data)
    }

    fn first<T: Element>(&self, spec: &ReduceSpec, data: &[T]) -> Result<Option<(usize, T)>, Error> {
        let indices = match self.ready(spec, data)? {
            None => spec.first_items(data, &[])?.1,
            Some((mut prepared, input)) => prepared.run(&input)?.read()?,
        };
        // Without items, the index is none.
        let index = indices.first().map(|index| *index as usize);
        Ok(index.and_then(|index| Some((index, *data.get(index)?))))
    }

    /// The reduction that a spec describes: another operator, of tuples, by rows or columns. As many items as
    /// [`ReduceSpec::results`] says; of argmin and argmax the values ([`ReduceSpec::argmin`]). A spec that reads segments is
    /// prepared instead ([`Gpu::prepare`]).
    ///
    /// ```no_run
    /// # fn main() -> Result<(), rasterscan::Error> {
    /// # let gpu = rasterscan::Gpu::headless()?;
    /// let spec = rasterscan::ReduceSpec::new::<u32>(6).rows(3);
    /// assert_eq!(gpu.reduce_by(&spec, &[3u32, 1, 7, 0, 4, 1])?, [11, 5]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Errors: as [`Self::scan_by`].
    pub fn reduce_by<T: Element>(&self, spec: &ReduceSpec, data: &[T]) -> Result<Vec<T>, Error> {
        match self.ready(spec, data)? {
            None => reduce::sequential(spec, data),
            Some((mut prepared, input)) => {
                let outputs = prepared.run([&input])?;
                outputs.get("values").unwrap_or_else(|| outputs.first()).read()
            }
        }
    }

    /// `keys` in ascending order; floats in IEEE 754's total order ([`SortSpec`]).
    ///
    /// ```no_run
    /// # fn main() -> Result<(), rasterscan::Error> {
    /// let gpu = rasterscan::Gpu::headless()?;
    /// let keys = [3i32, -1, 7, -1];
    /// assert_eq!(gpu.sort(&keys)?, [-1, -1, 3, 7]);
    /// assert_eq!(gpu.argsort(&keys)?, [1, 3, 0, 2]);
    /// let spec = rasterscan::SortSpec::new::<i32>(4).descending();
    /// assert_eq!(gpu.sort_by(&spec, &keys)?, [7, 3, -1, -1]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Errors: as [`Self::scan`].
    pub fn sort<T: Element>(&self, keys: &[T]) -> Result<Vec<T>, Error> {
        self.sort_by(&SortSpec::new::<T>(keys.len()), keys)
    }

    /// The index of each key in their order, as [`Self::sort`] has it. Of equal keys the first one comes first.
    ///
    /// Errors: as [`Self::scan`].
    pub fn argsort<T: Element>(&self, keys: &[T]) -> Result<Vec<u32>, Error> {
        self.argsort_by(&SortSpec::new::<T>(keys.len()), keys)
    }

    /// The sorted keys, and a number of each that moves with it. For payloads of other types, gather by [`Self::argsort`].
    ///
    /// ```no_run
    /// # fn main() -> Result<(), rasterscan::Error> {
    /// # let gpu = rasterscan::Gpu::headless()?;
    /// let (depths, splats) = gpu.sort_pairs(&[0.5f32, 0.25, 0.75], &[10, 11, 12])?;
    /// assert_eq!((depths, splats), (vec![0.25, 0.5, 0.75], vec![11, 10, 12]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Errors: as [`Self::scan`], and [`Error::Length`] if there are not as many payloads as keys.
    pub fn sort_pairs<T: Element>(&self, keys: &[T], payloads: &[u32]) -> Result<(Vec<T>, Vec<u32>), Error> {
        let spec = SortSpec::new::<T>(keys.len()).payloads(1);
        let results = self.results(&spec, [Numbers::of(keys), Numbers::of(payloads)])?;
        let [first, second] = ["values", "payload"].map(|name| results.get(name));
        let keys = first.map_or(Ok(&[][..]), Numbers::get)?.to_vec();
        Ok((keys, second.map_or(Ok(&[][..]), Numbers::get)?.to_vec()))
    }

    /// The sort that a spec describes: descending, by some bits, of rows. The keys come out, whatever the spec moves. A spec
    /// that reads further streams, such as segments or payloads, is prepared instead ([`Gpu::prepare`]).
    ///
    /// Errors: as [`Self::scan_by`].
    pub fn sort_by<T: Element>(&self, spec: &SortSpec, keys: &[T]) -> Result<Vec<T>, Error> {
        self.only(spec.moves(Moves::Values), keys)
    }

    /// The index of each key in the order that a spec describes, as for [`Self::sort_by`]. Of rows, too, indices are those in the whole stream.
    ///
    /// Errors: as [`Self::scan_by`].
    pub fn argsort_by<T: Element>(&self, spec: &SortSpec, keys: &[T]) -> Result<Vec<u32>, Error> {
        self.only(spec.moves(Moves::Indices), keys)
    }

    /// All results of a request of several streams.
    fn results(&self, request: impl Into<Request>, streams: [Numbers; 2]) -> Result<Results, Error> {
        let task = Task::new(request, streams)?;
        match auto::choose(self, task.request(), None, || Ok(task.clone()))?.plan {
            None => task.solve(),
            Some(plan) => task.run(&mut task.prepare(self, &plan)?),
        }
    }

    /// The one result of a sort.
    fn only<T: Element, R: Element>(&self, spec: SortSpec, keys: &[T]) -> Result<Vec<R>, Error> {
        match self.ready(&spec, keys)? {
            Some((mut prepared, input)) => prepared.run(&input)?.read(),
            None => {
                let results = Task::new(&spec, [Numbers::of(keys)])?.solve()?;
                Ok(results.first().map_or(Ok(&[][..]), Numbers::get)?.to_vec())
            }
        }
    }

    /// Prepares the plan of the algorithm that suits a request, to run any number of times.
    ///
    /// On a renderer that the tests do not know, the choice is checked once on random numbers ([`Gpu::set_auto_checks`]).
    ///
    /// ```no_run
    /// # fn main() -> Result<(), rasterscan::Error> {
    /// use rasterscan::{Gpu, ScanSpec};
    /// let gpu = Gpu::headless()?;
    /// let mut scan = gpu.prepare_auto(&ScanSpec::new::<u32>(4).exclusive())?;
    /// let input = scan.upload(&[3u32, 1, 7, 0])?;
    /// assert_eq!(scan.run(&input)?.read::<u32>()?, [0, 3, 4, 11]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Errors: as [`Self::prepare`]; [`Error::Spec`]; [`Error::Unsupported`] if only the CPU can serve the request, by
    /// [`scan::sequential`] and its like.
    pub fn prepare_auto(&self, request: impl Into<Request>) -> Result<Prepared, Error> {
        self.prepare(&self.plan_auto(request)?)
    }

    /// The plan of the algorithm that suits a request, to be part of a plan of yours ([`Plan::append_plan`]). Its streams lie as
    /// that algorithm has them: two such plans may lie in memory of different kinds, which costs a pass between them.
    ///
    /// Errors: as [`Self::prepare_auto`].
    pub fn plan_auto(&self, request: impl Into<Request>) -> Result<Plan, Error> {
        let request = request.into();
        request.check()?;
        let chosen = auto::choose(self, &request, None, || auto::sample(&request))?;
        let problem = request.problem();
        let none = || {
            Unsupported::request(format!("no algorithm of this device serves this {problem}; use the CPU's"))
        };
        Ok(chosen.plan.ok_or_else(none)?)
    }

    /// The plan of the algorithm that suits a request, prepared, with its input; `None` if that is the CPU's.
    fn ready<T: Element>(
        &self,
        request: impl Into<Request>,
        data: &[T],
    ) -> Result<Option<(Prepared, Stream)>, Error> {
        let request = request.into();
        request.check()?;
        let Some(plan) =
            auto::choose(self, &request, None, || Task::new(&request, [Numbers::of(data)]))?.plan
        else {
            return Ok(None);
        };
        let prepared = self.prepare(&plan)?;
        let input = prepared.upload(data)?;
        Ok(Some((prepared, input)))
    }
}
