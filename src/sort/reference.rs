//! The sequential sort: the reference for every other sort.
//!
//! Work: n log n comparisons, by the standard library's stable sort. Keys must match to the bit, NaN included.

use super::SortSpec;
use crate::algorithm::results::Mismatch;
use crate::element::Element;
use crate::error::Error;
use crate::memory;

/// The order in which keys come out: for each place the index that its key had.
///
/// Errors: [`crate::SpecError`] in [`Error::Spec`], and [`Error::Memory`].
///
/// # Panics
///
/// If the length of `keys` differs from the spec's.
///
/// ```
/// use rasterscan::{SortSpec, sort};
/// let spec = SortSpec::new::<i32>(4);
/// assert_eq!(sort::sequential(&spec, &[3, -7, 3, 0]).unwrap(), [1, 3, 0, 2]);
/// ```
pub fn sequential<T: Element>(spec: &SortSpec, keys: &[T]) -> Result<Vec<u32>, Error> {
    spec.check()?;
    assert_eq!(keys.len() as u64, spec.len, "the input's length is the spec's");
    let mut indices = memory::collect(0..keys.len() as u32, "the indices of the reference")?;
    indices.sort_by_key(|index| spec.rank(keys[*index as usize]));
    Ok(indices)
}

/// Compares a result with the elements that the sort moves there, bit by bit.
///
/// Errors: the first wrong index.
pub fn verify<T: Element>(
    indices: &[u32],
    from: &[T],
    got: &[T],
    one: &'static str,
) -> Result<u64, Mismatch> {
    if got.len() != indices.len() {
        let (expected, got_len) = (format!("one of {}", indices.len()), format!("one of {}", got.len()));
        return Err(Mismatch::exact(one, got.len().min(indices.len()), expected, got_len));
    }
    for (place, (index, got)) in indices.iter().zip(got).enumerate() {
        let expected = from[*index as usize];
        if bytemuck::bytes_of(&expected) != bytemuck::bytes_of(got) {
            return Err(Mismatch::exact(one, place, expected.to_string(), got.to_string()));
        }
    }
    Ok(got.len() as u64)
}
