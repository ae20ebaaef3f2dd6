//! The sequential reduction: the reference for every other reduction.

use super::ReduceSpec;
use crate::algorithm::results::{Mismatch, Verified, same};
use crate::element::Element;
use crate::error::Error;
use crate::operator::MOST_ELEMENTS;
use crate::scan;

/// Reduces on the CPU, one item after the other. The result has [`ReduceSpec::results`] items.
///
/// Errors: [`crate::SpecError`] in [`Error::Spec`], and [`Error::NoTwin`].
///
/// # Panics
///
/// If the length of `input` is not [`ReduceSpec::elements`].
///
/// ```
/// use rasterscan::{ReduceSpec, reduce};
/// let spec = ReduceSpec::new::<u32>(8);
/// assert_eq!(reduce::sequential(&spec, &[3u32, 1, 7, 0, 4, 1, 6, 3]).unwrap(), [25]);
/// ```
pub fn sequential<T: Element>(spec: &ReduceSpec, input: &[T]) -> Result<Vec<T>, Error> {
    spec.check()?;
    assert_eq!(input.len() as u64, spec.elements(), "the input's length is the spec's");
    if spec.has_index {
        return Ok(spec.at_indices(input, &spec.first_indices(input)).0);
    }
    if spec.operator.arity() <= 2 {
        reduced::<T, 2>(spec, input)
    } else {
        reduced::<T, MOST_ELEMENTS>(spec, input)
    }
}

/// The same, with items of at most `N` elements.
fn reduced<T: Element, const N: usize>(spec: &ReduceSpec, input: &[T]) -> Result<Vec<T>, Error> {
    let combine = spec.operator.twin().ok_or_else(|| Error::NoTwin(spec.operator.clone()))?;
    let (arity, tuple) = (spec.operator.arity() as usize, spec.tuple as usize);
    let mut sums = vec![spec.operator.identity::<T, N>(); tuple];
    for (index, item) in input.chunks_exact(arity).enumerate() {
        let mut own = [T::ZERO; N];
        own[..arity].copy_from_slice(item);
        let sum = &mut sums[index % tuple];
        // The first item of each is copied, so that -0.0 stays -0.0.
        *sum = if index < tuple { own } else { combine(*sum, own) };
    }
    Ok(sums.iter().flat_map(|sum| sum[..arity].to_vec()).collect())
}

/// Compares a result with the reduction of `input`: integers to the bit, floats within the bounds that
/// [`scan::verify`] states, for chains of at most `depth` uses of the operator ([`crate::plan::Cost::depth`]).
///
/// # Panics
///
/// If the length of `input` differs from the spec's.
pub fn verify<T: Element>(
    spec: &ReduceSpec,
    depth: u64,
    input: &[T],
    got: &[T],
) -> Result<Verified, Mismatch> {
    if spec.len > 0 {
        return scan::reference::verify_last(&spec.scan(), depth, input, got);
    }
    let identity = spec.operator.identity::<T, MOST_ELEMENTS>();
    let expected = identity[..spec.operator.arity() as usize].repeat(spec.tuple as usize);
    let compared = same("element", &expected, got)?;
    Ok(Verified { compared, unbounded: 0 })
}
