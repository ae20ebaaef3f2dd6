//! The sequential sort: the reference for every other sort.
//!
//! Work: n log n comparisons of ranks and indices, by the standard library's sort. Keys must match to the bit, NaN included.

use super::SortSpec;
use crate::algorithm::results::Mismatch;
use crate::element::Element;
use crate::error::Error;
use crate::memory;
use crate::numbers::Written;
use crate::scan::Segments;

/// The order in which keys come out: for each place the index that its key had.
///
/// Errors: [`crate::SpecError`] in [`Error::Spec`], and [`Error::Memory`].
///
/// # Panics
///
/// If the length of `keys` differs from the spec's, or the spec has segments.
///
/// ```
/// use rasterscan::{SortSpec, sort};
/// let spec = SortSpec::new::<i32>(4);
/// assert_eq!(sort::sequential(&spec, &[3, -7, 3, 0]).unwrap(), [1, 3, 0, 2]);
/// ```
pub fn sequential<T: Element>(spec: &SortSpec, keys: &[T]) -> Result<Vec<u32>, Error> {
    assert_eq!(spec.segments, Segments::None, "segments need their own stream");
    sequential_with(spec, keys, &[])
}

/// The same in the segments that these words describe, as [`Segments`] says.
pub(super) fn sequential_with<T: Element>(
    spec: &SortSpec,
    keys: &[T],
    segments: &[u32],
) -> Result<Vec<u32>, Error> {
    spec.check()?;
    assert_eq!(keys.len() as u64, spec.len, "the input's length is the spec's");
    // With the index, no two are equal: any sort of these is stable.
    let ranked = keys.iter().zip(0..keys.len() as u32).map(|(key, index)| (spec.rank(*key), index));
    let mut ranked: Vec<(u64, u32)> = memory::collect(ranked, "the ranks of the reference")?;
    let mut rest = ranked.as_mut_slice();
    let mut from = 0;
    for end in ends(spec, segments) {
        let (part, behind) = rest.split_at_mut(end - from);
        part.sort_unstable();
        (rest, from) = (behind, end);
    }
    memory::collect(ranked.iter().map(|(_, index)| *index), "the indices of the reference")
}

/// The ends of the parts that are sorted on their own, the last one at the stream's end.
fn ends(spec: &SortSpec, segments: &[u32]) -> Vec<usize> {
    let len = spec.len as usize;
    let heads: Vec<usize> = match (spec.row, spec.segments) {
        (Some(width), _) => (0..len).step_by(width as usize).collect(),
        (None, Segments::None) => Vec::new(),
        (None, Segments::Offsets(_)) => segments.iter().map(|offset| (*offset as usize).min(len)).collect(),
        (None, Segments::Flags | Segments::Keys(_)) => {
            (0..len).filter(|index| segments[index / 32] >> (index % 32) & 1 != 0).collect()
        }
    };
    heads.into_iter().chain([len]).collect()
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
            let [expected, got] = [expected, *got].map(|number| Written(number).to_string());
            return Err(Mismatch::exact(one, place, expected, got));
        }
    }
    Ok(got.len() as u64)
}
