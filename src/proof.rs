//! Proof that a scan is right at a length, from one run: its input, and the only correct result.
//!
//! Source: chong2014 (theorem on interval monoids). An item is the interval of the inputs that it combines. The input
//! is [0, 1), [1, 2), [2, 3) ... Neighbours join; any other two make a broken item, and whatever it is combined with is
//! broken too. A scan that returns [0, 1), [0, 2), [0, 3) ... has combined, for each result, all inputs up to it, each
//! once and in order. With other items and another operator it would have done the same. So it is right at this length
//! for every input and every associative operator, not only for the one that was run.
//!
//! Assumptions of the theorem, and why scans here meet them:
//! 1. *The scan is generic*: it copies items, combines them, takes the identity, and does nothing else. No address and
//!    no branch depends on an item. In the shaders an item is an `Item`, which `interval_pair` and `affine` make a
//!    `struct`: a scan that did arithmetic on items or compared them would not compile. `words_of_item` and
//!    `item_of_words` move items through memory, unchanged.
//! 2. *The operator is associative, with an identity.* Joining intervals is; a test tries all triples of a few. Sums
//!    and products of floats are not quite associative: for those the proof says which numbers are combined, and bounds
//!    say how far the result may be off.
//! 3. *The run is free of races.* Recorded runs show that between two barriers no invocation touches in shared memory
//!    what another one writes. Since addresses do not depend on items, that holds for every input. Single-pass scans
//!    wait for sums that other groups publish; separate tests cover sums that arrive late, or never.
//! 4. *The program is the same.* Programs differ by the words of an item, by its channels, by inclusive or exclusive,
//!    and in some cases by whether the operator commutes: each is proven alone. Intervals do not commute, so the path for
//!    operators that do is tested with random numbers, where a wrong set of inputs gives a right sum of 64 bits once in
//!    2^60.
//!
//! In tuples of s, the members' intervals are apart, so members that are mixed up do not join. Scans of higher order
//! combine results, which are not neighbours: rounds of an order-1 scan need no proof of their own, and `sam` is tested
//! with random numbers.
//!
//! ```
//! use rasterscan::{Operator, ScanSpec, scan, tools::proof};
//! let spec = ScanSpec::new::<u32>(100).operator(Operator::INTERVAL);
//! let input: Vec<u32> = proof::input(&spec).unwrap();
//! let result = scan::sequential(&spec, &input).unwrap();
//! assert!(proof::check(&spec, &result).is_ok());
//! assert!(proof::check(&spec, &input).is_err());
//! ```

use crate::algorithm::results::Mismatch;
use crate::element::Element;
use crate::operator::Interval;
use crate::scan::{ScanKind, ScanSpec};

/// The input of a proof; `None` if the spec's operator is not one for proofs, the order is not 1, or the positions of
/// so long a stream do not fit into an item.
pub fn input<T: Element>(spec: &ScanSpec) -> Option<Vec<T>> {
    let proves = crate::Operator::PROVING.contains(&spec.operator);
    let last = u64::from(Interval::last_position(spec.item_words()));
    let fits = proves && spec.order == 1 && spec.check().is_ok() && positions(spec) <= last;
    fits.then(|| items(spec, |first, tuple| Interval::Items { begin: first + tuple, end: first + tuple + 1 }))
}

/// Errors with the first wrong item if a result does not prove the scan.
///
/// # Panics
///
/// If [`input`] has no input for the spec.
pub fn check<T: Element>(spec: &ScanSpec, result: &[T]) -> Result<(), Mismatch> {
    assert!(input::<T>(&ScanSpec { len: 0, ..spec.clone() }).is_some(), "a spec of a proof");
    let expected: Vec<T> = items(spec, |begin, tuple| {
        let end = begin + tuple + u32::from(spec.kind == ScanKind::Inclusive);
        if begin == end { Interval::Empty } else { Interval::Items { begin, end } }
    });
    let arity = spec.operator.arity() as usize;
    let wrong = |index: usize| Mismatch {
        what: "item",
        index,
        expected: interval(spec, &expected, index),
        got: interval(spec, result, index),
        tolerance: None,
    };
    let first = expected.iter().zip(result).position(|(expected, got)| expected != got);
    match first {
        Some(place) => Err(wrong(place / arity)),
        None if expected.len() != result.len() => Err(wrong(expected.len().min(result.len()) / arity)),
        None => Ok(()),
    }
}

/// An item in words.
fn interval<T: Element>(spec: &ScanSpec, items: &[T], index: usize) -> String {
    let arity = spec.operator.arity() as usize;
    let Some(found) = items.get(index * arity..(index + 1) * arity) else { return "not there".into() };
    let mut item = [T::ZERO; 2];
    item[..arity].copy_from_slice(found);
    match Interval::of_item(item, arity as u32) {
        Interval::Broken => format!("not an interval ({found:?})"),
        interval => interval.to_string(),
    }
}

/// Positions taken by the members of all tuples, with one unused position between each and the next.
fn positions(spec: &ScanSpec) -> u64 {
    (spec.tuples() + 1) * u64::from(spec.tuple)
}

/// The items made by `of` from the first position of each item's member and the number of its tuple.
fn items<T: Element>(spec: &ScanSpec, of: impl Fn(u32, u32) -> Interval) -> Vec<T> {
    let arity = spec.operator.arity();
    let (tuple, tuples) = (spec.tuple, spec.tuples() as u32);
    let item = |index: u32| of(index % tuple * (tuples + 1), index / tuple).item::<T>(arity);
    let items = (0..spec.len as u32).map(item);
    items.flat_map(|item| item.into_iter().take(arity as usize)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Operator, scan};

    fn proves<T: Element>() {
        for operator in &Operator::PROVING {
            for tuple in [1, 2, 5] {
                for kind in [ScanKind::Inclusive, ScanKind::Exclusive] {
                    let spec = ScanSpec::new::<T>(60).operator(operator).tuple(tuple).kind(kind);
                    let data: Vec<T> = input(&spec).unwrap();
                    let mut result = scan::sequential(&spec, &data).unwrap();
                    assert_eq!(check(&spec, &result), Ok(()), "{spec}");
                    // Scanned as if there were no tuples, neighbouring members would meet.
                    let other = spec.tuple(3);
                    assert!(check(&spec, &scan::sequential(&other, &data).unwrap()).is_err(), "{spec}");
                    result[31] = T::ZERO;
                    let wrong = check(&spec, &result).unwrap_err();
                    assert_eq!(wrong.index, 31 / operator.arity() as usize, "{wrong}");
                    assert!(check(&spec, &result[..20]).is_err());
                }
            }
        }
    }

    #[test]
    fn the_sequential_scan_is_proven_on_items_of_every_width() {
        proves::<u32>();
        proves::<f32>();
        proves::<u64>();
    }

    #[test]
    fn positions_that_do_not_fit_are_refused() {
        let long = |spec: &ScanSpec| ScanSpec { len: 16_383, ..spec.clone() };
        let spec = ScanSpec::new::<u32>(16_382).operator(Operator::INTERVAL);
        assert!(input::<u32>(&spec).is_some());
        assert!(input::<u32>(&long(&spec)).is_none());
        assert!(input::<u32>(&long(&spec.operator(Operator::INTERVAL_PAIR))).is_some());
        assert!(input::<u32>(&spec.operator(Operator::ADD)).is_none());
        assert!(input::<u32>(&spec.order(2)).is_none());
    }
}
