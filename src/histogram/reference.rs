//! The sequential histogram: the reference for every other one.

use super::HistogramSpec;
use crate::element::Element;
use crate::error::Error;
use crate::memory;

/// Counts on the CPU, one item after the other: a bisection of the edges for each.
///
/// Errors: [`crate::SpecError`] in [`Error::Spec`], and [`Error::Memory`].
///
/// # Panics
///
/// If the length of a stream differs from the spec's.
///
/// ```
/// use rasterscan::{HistogramSpec, histogram};
/// let spec = HistogramSpec::new::<u32>(8, 3);
/// assert_eq!(histogram::sequential(&spec, &[3, 1, 7, 0, 4, 1, 6, 3], &[0u32, 2, 4, 6]).unwrap(), [3, 2, 1]);
/// ```
pub fn sequential<T: Element>(spec: &HistogramSpec, input: &[T], edges: &[T]) -> Result<Vec<u32>, Error> {
    spec.check()?;
    assert_eq!(input.len() as u64, spec.len, "the input's length is the spec's");
    assert_eq!(edges.len() as u64, spec.bins + 1, "there is an edge more than bins");
    let mut counts = memory::zeros(spec.bins as usize, "the counts of the reference")?;
    for item in input {
        // No edge is at or before NaN.
        let bin = edges.partition_point(|edge| edge <= item).checked_sub(1);
        if let Some(count) = bin.and_then(|bin| counts.get_mut(bin)) {
            *count += 1;
        }
    }
    Ok(counts)
}
