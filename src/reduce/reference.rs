//! The sequential reduction: the reference for every other reduction.

use std::borrow::Cow;

use super::ReduceSpec;
use crate::algorithm::results::{Mismatch, Verified, same};
use crate::element::Element;
use crate::error::Error;
use crate::memory;
use crate::operator::MOST_ELEMENTS;
use crate::reduce::parts::Parts;
use crate::scan::{self, ScanSpec};

/// Tuples that a block has at most: they stay in the processor's caches.
const BLOCK: u64 = 1 << 10;

/// Reduces on the CPU, one item after the other. The result has [`ReduceSpec::results`] items.
///
/// Errors: [`crate::SpecError`] in [`Error::Spec`], [`Error::NoTwin`], and [`Error::Memory`].
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
    sequential_with(spec, input, &[])
}

/// The same for a spec that reads segments: offsets, or a bit for each item, also in place of keys
/// ([`scan::flags_of_keys`]). Of segments by flags or keys the result has as many items as there are segments.
///
/// Errors: as [`sequential`], and [`crate::SpecError::Offsets`].
///
/// # Panics
///
/// If the length of a stream differs from the spec's.
///
/// ```
/// use rasterscan::{ReduceSpec, reduce};
/// let spec = ReduceSpec::new::<u32>(6).segmented_by_offsets(3);
/// let sums = reduce::sequential_with(&spec, &[3u32, 1, 7, 0, 4, 1], &[0, 2, 2]).unwrap();
/// assert_eq!(sums, [4, 0, 12]);
/// ```
pub fn sequential_with<T: Element>(
    spec: &ReduceSpec,
    input: &[T],
    segments: &[u32],
) -> Result<Vec<T>, Error> {
    spec.check()?;
    assert_eq!(input.len() as u64, spec.elements(), "the input's length is the spec's");
    assert_eq!(segments.len(), spec.segments.words(spec.len), "the length of the segments is the spec's");
    if spec.has_index {
        return Ok(spec.first_items(input, segments)?.0);
    }
    let operator = &spec.operator;
    let running = operator.running().ok_or_else(|| Error::NoTwin(operator.clone()))?;
    let (arity, tuple) = (operator.arity() as usize, u64::from(spec.tuple));
    let parts = Parts::new(spec, segments)?;
    let identities = operator.identity::<T, MOST_ELEMENTS>()[..arity].repeat(spec.tuple as usize);
    let results = parts.count() as usize * identities.len();
    let mut values = memory::filled(T::ZERO, results, "the results of the reference")?;
    let (mut sums, mut items) = (identities.clone(), Vec::new());
    for (number, part) in (0..).zip(parts.iter()) {
        sums.copy_from_slice(&identities);
        for (block, range) in (0..).zip(part.blocks(BLOCK * tuple)) {
            range.gather(arity, input, &mut items);
            // The first item of each is copied, so that -0.0 stays -0.0.
            let firsts = if block == 0 { sums.len().min(items.len()) } else { 0 };
            sums[..firsts].copy_from_slice(&items[..firsts]);
            running(&mut sums, false, &mut items[firsts..]);
        }
        for (member, sum) in (0..).zip(sums.chunks_exact(arity)) {
            let at = parts.result(number, member) * arity;
            values[at..at + arity].copy_from_slice(sum);
        }
    }
    Ok(values)
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
    verify_with(spec, depth, input, &[], got)
}

/// The same for a spec that reads segments.
///
/// # Panics
///
/// If the length of a stream differs from the spec's.
pub fn verify_with<T: Element>(
    spec: &ReduceSpec,
    depth: u64,
    input: &[T],
    segments: &[u32],
    got: &[T],
) -> Result<Verified, Mismatch> {
    let (arity, tuple) = (spec.operator.arity() as usize, u64::from(spec.tuple));
    let parts = Parts::new(spec, segments)
        .map_err(|error| Mismatch::exact("element", 0, error.to_string(), "a result".into()))?;
    let results = parts.count() as usize * tuple as usize * arity;
    if got.len() != results {
        let [expected, found] = [results, got.len()].map(|len| format!("{len} elements"));
        return Err(Mismatch::exact("element", got.len().min(results), expected, found));
    }
    let one = ScanSpec::of(spec.element, 0).operator(&spec.operator).tuple(spec.tuple);
    let identity = spec.operator.identity::<T, MOST_ELEMENTS>();
    let empty = identity[..arity].repeat(tuple as usize);
    let mut verified = Verified { compared: 0, unbounded: 0 };
    let mut own = Vec::new();
    for (number, part) in (0..).zip(parts.iter()) {
        let place = |member: u64| parts.result(number, member) * arity;
        own.clear();
        (0..tuple).for_each(|member| own.extend_from_slice(&got[place(member)..place(member) + arity]));
        let checked = if part.len == 0 {
            same("element", &empty, &own).map(|compared| Verified { compared, unbounded: 0 })
        } else {
            let items = match part.step {
                1 => Cow::Borrowed(&input[part.at(0) * arity..part.at(part.len) * arity]),
                _ => {
                    let mut items = Vec::new();
                    part.gather(arity, input, &mut items);
                    Cow::Owned(items)
                }
            };
            scan::reference::verify_last(&one.with_len(part.len), depth, &items, &own)
        };
        let checked = checked.map_err(|wrong| {
            let (member, element) = (wrong.index / arity, wrong.index % arity);
            Mismatch { index: place(member as u64) + element, ..wrong }
        })?;
        verified.compared += checked.compared;
        verified.unbounded += checked.unbounded;
    }
    Ok(verified)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::Operator;

    const DATA: [i32; 12] = [3, 1, 7, 0, 4, 1, 6, 3, 2, 9, 5, 8];

    #[test]
    fn rows_columns_and_segments_have_a_result_each() {
        let spec = ReduceSpec::new::<i32>(12);
        let of = |spec: &ReduceSpec, segments: &[u32]| sequential_with(spec, &DATA, segments).unwrap();
        assert_eq!(of(&spec.rows(4), &[]), [11, 14, 24]);
        assert_eq!(of(&spec.rows(4).tuple(2), &[]), [10, 1, 10, 4, 7, 17]);
        assert_eq!(of(&spec.columns(4), &[]), [9, 11, 18, 11]);
        // The members of a tuple are rows of their own.
        assert_eq!(of(&spec.columns(3).tuple(2), &[]), [9, 4, 9, 9, 9, 9]);
        assert_eq!(of(&spec.segmented(), &[0b1000_0010_0100]), [4, 11, 26, 8]);
        // Equal offsets, offsets at the end, and items before the first.
        assert_eq!(of(&spec.segmented_by_offsets(5), &[1, 1, 4, 12, 12]), [0, 8, 38, 0, 0]);
        assert!(of(&spec.segmented_by_offsets(0), &[]).is_empty());
        let least = ReduceSpec::new::<i32>(0).operator(Operator::MIN);
        let none: [i32; 0] = [];
        assert_eq!(sequential(&least.columns(3), &none).unwrap(), [i32::MAX; 3]);
        assert_eq!(sequential(&least.rows(3), &none).unwrap(), none);
        assert_eq!(sequential_with(&least.segmented(), &none, &[]).unwrap(), none);
        let offsets = sequential_with(&least.segmented_by_offsets(2), &none, &[0, 0]);
        assert_eq!(offsets.unwrap(), [i32::MAX; 2]);
    }

    #[test]
    fn a_check_says_which_result_is_wrong() {
        let spec = ReduceSpec::new::<i32>(12);
        let wrong = |spec: &ReduceSpec, segments: &[u32], at: usize| {
            let mut got = sequential_with(spec, &DATA, segments).unwrap();
            assert_eq!(verify_with(spec, 12, &DATA, segments, &got).unwrap().compared, got.len() as u64);
            got[at] += 1;
            verify_with(spec, 12, &DATA, segments, &got).unwrap_err().index
        };
        assert_eq!(wrong(&spec.rows(4).tuple(2), &[], 3), 3);
        assert_eq!(wrong(&spec.columns(3).tuple(2), &[], 4), 4);
        assert_eq!(wrong(&spec.segmented(), &[0b100], 1), 1);
        assert_eq!(wrong(&spec.segmented_by_offsets(3), &[2, 2, 4], 0), 0);
        assert_eq!(verify(&spec.rows(4), 12, &DATA, &[11, 14]).unwrap_err().index, 2);
    }
}
