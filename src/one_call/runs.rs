//! One call for what is composed of scans and sorts: runs of equal numbers, classes, and bins.

use crate::algorithm::Placement;
use crate::element::{Element, ElementType};
use crate::error::Error;
use crate::gl::Gpu;
use crate::histogram::HistogramSpec;
use crate::numbers::Numbers;
use crate::operator::Operator;
use crate::plan::{ItemType, Layout, Plan};
use crate::reduce::{ReduceSpec, runs};
use crate::scan::{ScanSpec, expand};
use crate::sort;
use crate::unsupported::Unsupported;

impl Gpu {
    /// The first number of each run of equal ones; of sorted numbers the distinct ones. Numbers are equal if their bits are.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), rasterscan::Error> {
    /// let gpu = rasterscan::Gpu::headless()?;
    /// assert_eq!(gpu.unique(&[3u32, 3, 7, 7, 7, 3])?, [3, 7, 3]);
    /// assert_eq!(gpu.run_length(&[3u32, 3, 7, 7, 7, 3])?, (vec![3, 7, 3], vec![2, 3, 1]));
    /// assert_eq!(gpu.expand(&[3u32, 7, 3], &[2, 3, 1])?, [3, 3, 7, 7, 7, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// To keep the runs on the GPU, use [`runs`](crate::reduce::runs) in a plan.
    ///
    /// Errors: as [`Self::scan`].
    pub fn unique<T: Element>(&self, data: &[T]) -> Result<Vec<T>, Error> {
        Ok(self.runs(data, false)?.0)
    }

    /// The first number of each run of equal ones, and how many it has: [`Self::unique`], and lengths.
    ///
    /// Errors: as [`Self::unique`].
    pub fn run_length<T: Element>(&self, data: &[T]) -> Result<(Vec<T>, Vec<u32>), Error> {
        self.runs(data, true)
    }

    fn runs<T: Element>(&self, data: &[T], with_lengths: bool) -> Result<(Vec<T>, Vec<u32>), Error> {
        if data.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let len = data.len() as u64;
        let like = self.plan_auto(&ReduceSpec::of(ElementType::U32, len).by_key::<T>())?;
        let layout = self.layout_like(&like, T::TYPE, len)?;
        let mut plan = Plan::new("runs", max_of(T::TYPE), layout);
        let keys = plan.input();
        let runs = runs(&mut plan, keys, self.device())?;
        let mut results = vec![runs.values, runs.count];
        if with_lengths {
            results.push(runs.lengths(&mut plan)?);
        }
        plan.check_device(self.device())?;
        let mut prepared = self.prepare(&plan.finish_with(results))?;
        let input = prepared.upload(data)?;
        let results = prepared.run([&input])?;
        let count = results["count"].read::<u32>()?[0].into();
        let lengths = results.get("lengths").map(|lengths| lengths.read_first(count)).transpose()?;
        Ok((results["values"].read_first(count)?, lengths.unwrap_or_default()))
    }

    /// Each value as often as its length says: the inverse of [`Self::run_length`]. To keep the result on the GPU, use
    /// [`expand`](crate::scan::expand) in a plan.
    ///
    /// Errors: as [`Self::scan`]; [`Error::Length`] for other numbers of lengths than of values, and for more results than
    /// a stream holds.
    pub fn expand<T: Element>(&self, values: &[T], lengths: &[u32]) -> Result<Vec<T>, Error> {
        let (len, capacity) = (values.len() as u64, lengths.iter().map(|length| u64::from(*length)).sum());
        if lengths.len() != values.len() {
            return Err(Error::Length {
                what: "the lengths of runs",
                got: lengths.len() as u64,
                expected: len,
            });
        }
        if capacity == 0 {
            return Ok(Vec::new());
        }
        let like = self.plan_auto(&ScanSpec::of(ElementType::U32, capacity))?;
        let layout = self.layout_like(&like, T::TYPE, len)?;
        let mut plan = Plan::new("expand", max_of(T::TYPE), layout);
        let slot = plan.further_input("lengths", self.layout_like(&like, ElementType::U32, len)?);
        let slots = [plan.input(), slot];
        let expanded = expand(&mut plan, slots[0], slots[1], None, capacity, self.device())?;
        plan.check_device(self.device())?;
        let mut prepared = self.prepare(&plan.finish(expanded.values))?;
        let inputs = [prepared.upload(values)?, prepared.upload_input(1, lengths)?];
        prepared.run(&inputs)?.first().read()
    }

    /// The indices of items by their classes, and the number of items in each: first those of class 0, in their order, then
    /// those of class 1, and so on. Classes are less than `count`. [`partition`](crate::sort::partition) keeps them on the GPU.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), rasterscan::Error> {
    /// let gpu = rasterscan::Gpu::headless()?;
    /// assert_eq!(gpu.partition(&[2, 0, 1, 2, 0], 4)?, (vec![1, 4, 2, 0, 3], vec![2, 1, 2, 0]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Errors: as [`Self::scan`].
    pub fn partition(&self, classes: &[u32], count: u32) -> Result<(Vec<u32>, Vec<u32>), Error> {
        if classes.is_empty() {
            return Ok((Vec::new(), vec![0; count as usize]));
        }
        let part = self.plan_auto(&sort::sort_of_classes(classes.len() as u64, count, 0))?;
        let mut prepared = self.prepare(&sort::partition_by(&part, count, self.device())?)?;
        let input = prepared.upload(classes)?;
        let results = prepared.run([&input])?;
        Ok((results["indices"].read()?, results["counts"].read()?))
    }

    /// The number of items from each edge on, up to the next one, which is excluded; of u32, i32 or f32, by ascending edges.
    /// [`even_edges`](crate::histogram::even_edges) makes bins of equal width. [`HistogramSpec`] says what is in no bin; its plans keep the counts on the GPU.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), rasterscan::Error> {
    /// let gpu = rasterscan::Gpu::headless()?;
    /// assert_eq!(gpu.histogram(&[3u32, 1, 7, 0, 4, 1, 6, 3], &[0, 2, 4, 6])?, [3, 2, 1]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Errors: as [`Self::scan`]; [`Error::Spec`] for fewer than two edges, for edges that do not ascend, and for elements of 64
    /// bits.
    pub fn histogram<T: Element>(&self, data: &[T], edges: &[T]) -> Result<Vec<u32>, Error> {
        let spec = HistogramSpec::new::<T>(data.len(), edges.len().saturating_sub(1));
        let results = self.results(&spec, [Numbers::of(data), Numbers::of(edges)])?;
        Ok(results.first().map_or(Ok(&[][..]), Numbers::get)?.to_vec())
    }

    /// The layout of a stream in memory of the kind that a plan's first input has.
    fn layout_like(&self, plan: &Plan, element: ElementType, len: u64) -> Result<Layout, Unsupported> {
        Placement::single(plan.layout(plan.input()).storage).layout(self.device(), element, 1, len)
    }
}

/// The items of plans that combine none.
fn max_of(element: ElementType) -> ItemType {
    ItemType { element, operator: Operator::MAX }
}
