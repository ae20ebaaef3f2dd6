//! The sequential scan: the reference for every other scan.
//!
//! Source: sengupta2006, algorithm 1. Work: order × n uses of the operator, in order; for a recurrence as many products and
//! sums for each item as it has coefficients.
//!
//! Integers must match to the bit. Floats must lie within a bound of the scan in f64, which follows from the number of
//! roundings that any order of evaluation can make:
//! - add: a result sums magnitudes `M = Σ|x|` along at most `depth` additions, so its error is at most
//!   `((1 + u)^depth - 1) · M`, with `u = 2^-24` (Higham, *Accuracy and Stability of Numerical Algorithms*, section
//!   4.2).
//! - mul and affine: every one of the k factors and terms before a position can round, so the exponent is k for slopes
//!   and 2k for constants, and M the same expression with magnitudes in place of values.
//! - min and max: exact, except for numbers below the normal range, which a GPU can take for zero.
//! - Each further order scans values that already carry errors; those are carried along.
//!
//! If a partial result can leave the range of f32 in some order of evaluation, no value can be demanded; such positions
//! are counted as *unbounded*. So are positions at or after a NaN in min and max, which GLSL leaves open, and all
//! results on floats of an operator whose roundings are not known.

mod bounds;

use std::collections::VecDeque;

use bounds::{Bounded, Bounds};

use crate::algorithm::results::{Mismatch, Verified};
use crate::element::Element;
use crate::error::Error;
use crate::memory;
use crate::operator::{MOST_ELEMENTS, Rounding, Running};
use crate::scan::walk::{Line, Walk};
use crate::scan::{Recurrence, ScanKind, ScanSpec, SideStreams};

/// Scans on the CPU, one element after the other.
///
/// `input` has [`ScanSpec::elements`] numbers; so has the result.
///
/// Errors: [`crate::SpecError`] in [`Error::Spec`], [`Error::NoTwin`], and [`Error::Memory`].
///
/// # Panics
///
/// If the length of `input` differs.
///
/// ```
/// use rasterscan::{ScanSpec, scan};
/// let spec = ScanSpec::new::<u32>(8).exclusive();
/// let scanned = scan::sequential(&spec, &[3u32, 1, 7, 0, 4, 1, 6, 3]).unwrap();
/// assert_eq!(scanned, [0, 3, 4, 11, 11, 15, 16, 22]);
/// ```
pub fn sequential<T: Element>(spec: &ScanSpec, input: &[T]) -> Result<Vec<T>, Error> {
    sequential_with(spec, input, SideStreams::NONE)
}

/// The same for a spec that reads further streams: segments, or a seed.
///
/// Errors: as [`sequential`], and [`crate::SpecError::Offsets`].
///
/// # Panics
///
/// If the length of a stream differs from the spec's.
///
/// ```
/// use rasterscan::{ScanSpec, scan};
/// let spec = ScanSpec::new::<u32>(6).segmented().with_seed();
/// let beside = scan::SideStreams { segments: &[0b100101], seed: &[100] };
/// let scanned = scan::sequential_with(&spec, &[3u32, 1, 7, 0, 4, 1], beside).unwrap();
/// assert_eq!(scanned, [103, 104, 107, 107, 111, 101]);
/// ```
pub fn sequential_with<T: Element>(
    spec: &ScanSpec,
    input: &[T],
    beside: SideStreams<'_, T>,
) -> Result<Vec<T>, Error> {
    spec.check()?;
    check_lengths(spec, input, beside);
    let mut values = memory::zeros(input.len(), "the sums of the reference")?;
    let walk = Walk::new(spec, beside.segments)?;
    let arity = spec.operator.arity() as usize;
    let mut sums = Sums::new(spec, input, beside)?;
    for (block, begins) in walk.blocks(spec.len, sums.block) {
        for (number, item) in (0..).zip(sums.next(block, begins).chunks_exact(arity)) {
            let at = block.at(number) * arity;
            values[at..at + arity].copy_from_slice(item);
        }
    }
    Ok(values)
}

fn check_lengths<T: Element>(spec: &ScanSpec, input: &[T], beside: SideStreams<'_, T>) {
    assert_eq!(input.len() as u64, spec.elements(), "the input's length is the spec's");
    assert_eq!(
        beside.segments.len(),
        spec.segments.words(spec.len),
        "the length of the segments is the spec's"
    );
    let seed = if spec.has_seed { spec.tuple * spec.operator.arity() } else { 0 };
    assert_eq!(beside.seed.len() as u32, seed, "the seed is a tuple");
}

/// Numbers that a block has at most, or a tuple: they stay in the processor's first cache.
const BLOCK: u64 = 1 << 11;

/// The sequential scan, block by block: the state that all items so far leave.
struct Sums<'a, T> {
    spec: &'a ScanSpec,
    input: &'a [T],
    seed: &'a [T],
    /// Items in a block: whole tuples.
    block: u64,
    running: Running<'a, T>,
    /// Whether the scan has begun, and its sums: a tuple for each order.
    begun: bool,
    sums: Vec<T>,
    /// A tuple of the identity.
    identities: Vec<T>,
    /// The state of a recurrence, in place of sums.
    recurrence: Option<Recurrent<T>>,
    results: Vec<T>,
}

/// A recurrence, item by item.
struct Recurrent<T> {
    recurrence: Recurrence,
    /// For each interleaved stream the last inputs, and the last results: the newest first.
    inputs: Vec<VecDeque<T>>,
    results: Vec<VecDeque<T>>,
}

impl<T: Element> Recurrent<T> {
    fn new(recurrence: &Recurrence, tuple: usize) -> Recurrent<T> {
        let zeros = || vec![VecDeque::from(vec![T::ZERO; recurrence.depth()]); tuple];
        Recurrent { recurrence: recurrence.clone(), inputs: zeros(), results: zeros() }
    }

    /// The result before an item of a stream, and the result for it.
    fn next(&mut self, stream: usize, item: T) -> [T; 2] {
        let (inputs, results) = (&mut self.inputs[stream], &mut self.results[stream]);
        inputs.pop_back();
        inputs.push_front(item);
        let before = results[0];
        let result = self.recurrence.result(inputs.make_contiguous(), results.make_contiguous());
        results.pop_back();
        results.push_front(result);
        [before, result]
    }
}

impl<'a, T: Element> Sums<'a, T> {
    fn new(spec: &'a ScanSpec, input: &'a [T], beside: SideStreams<'a, T>) -> Result<Sums<'a, T>, Error> {
        let operator = &spec.operator;
        let (arity, tuple) = (operator.arity() as usize, spec.tuple as usize);
        let identities = operator.identity::<T, MOST_ELEMENTS>()[..arity].repeat(tuple);
        let tuples = (BLOCK / identities.len() as u64).max(1);
        Ok(Sums {
            spec,
            input,
            seed: beside.seed,
            block: tuples * tuple as u64,
            running: operator.running().ok_or_else(|| Error::NoTwin(operator.clone()))?,
            begun: false,
            sums: identities.repeat(spec.order as usize),
            identities,
            recurrence: spec.recurrence.as_ref().map(|recurrence| Recurrent::new(recurrence, tuple)),
            results: Vec::new(),
        })
    }

    /// The results for the next items of a scan, which may begin with them.
    fn next(&mut self, items: Line, begins: bool) -> &[T] {
        if begins {
            self.begun = false;
            self.results.clear();
            self.results.extend_from_slice(self.seed);
            self.scan();
        }
        items.gather(self.spec.operator.arity() as usize, self.input, &mut self.results);
        self.scan();
        &self.results
    }

    /// Replaces items by their results.
    fn scan(&mut self) {
        let exclusive = self.spec.kind == ScanKind::Exclusive;
        if let Some(recurrence) = &mut self.recurrence {
            for (place, item) in self.results.iter_mut().enumerate() {
                let [before, result] = recurrence.next(place % self.spec.tuple as usize, *item);
                *item = if exclusive { before } else { result };
            }
            return;
        }
        let items = &mut self.results[..];
        let firsts = if self.begun { 0 } else { self.identities.len().min(items.len()) };
        for (order, sums) in (1..).zip(self.sums.chunks_exact_mut(self.identities.len())) {
            let exclusive = exclusive && order == self.spec.order;
            // The first item of each scan is copied, so that -0.0 stays -0.0.
            let (first, others) = items.split_at_mut(firsts);
            sums[..firsts].copy_from_slice(first);
            if exclusive {
                first.copy_from_slice(&self.identities[..firsts]);
            }
            (self.running)(sums, exclusive, others);
        }
        self.begun |= firsts > 0;
    }
}

/// Compares a result with the sequential scan of `input`.
///
/// `depth` is the longest chain of uses of the operator in one scan of first order: a plan's
/// [`crate::plan::Cost::depth`] divided by the order. Only float sums depend on it. Needs no memory besides both
/// streams.
///
/// # Panics
///
/// If the length of `input` differs from the spec's.
pub fn verify<T: Element>(spec: &ScanSpec, depth: u64, input: &[T], got: &[T]) -> Result<Verified, Mismatch> {
    verify_with(spec, depth, input, SideStreams::NONE, got)
}

/// The same for a spec that reads further streams: segments, or a seed.
///
/// # Panics
///
/// If the length of a stream differs from the spec's.
pub fn verify_with<T: Element>(
    spec: &ScanSpec,
    depth: u64,
    input: &[T],
    beside: SideStreams<'_, T>,
    got: &[T],
) -> Result<Verified, Mismatch> {
    verify_from(spec, depth, input, beside, got, 0)
}

/// Compares only the last tuple: the total of the scan.
pub(crate) fn verify_last<T: Element>(
    spec: &ScanSpec,
    depth: u64,
    input: &[T],
    got: &[T],
) -> Result<Verified, Mismatch> {
    let tuple = (spec.tuple * spec.operator.arity()) as usize;
    verify_from(spec, depth, input, SideStreams::NONE, got, input.len().saturating_sub(tuple))
}

/// Compares the results from element `first` on, which are all that `got` holds.
fn verify_from<T: Element>(
    spec: &ScanSpec,
    depth: u64,
    input: &[T],
    beside: SideStreams<'_, T>,
    got: &[T],
    first: usize,
) -> Result<Verified, Mismatch> {
    check_lengths(spec, input, beside);
    let counts = spec.has_gpu_length && got.len() <= input.len();
    if got.len() != input.len() - first && !counts {
        return Err(Mismatch {
            what: "element",
            index: got.len().min(input.len() - first),
            expected: format!("{} elements", input.len() - first),
            got: format!("{} elements", got.len()),
            tolerance: None,
        });
    }
    let refuse = |error: Error| Mismatch {
        what: "element",
        index: 0,
        expected: error.to_string(),
        got: "a result".into(),
        tolerance: None,
    };
    spec.check().map_err(|error| refuse(error.into()))?;
    let walk = Walk::new(spec, beside.segments).map_err(|error| refuse(error.into()))?;
    let mut sums = Sums::new(spec, input, beside).map_err(refuse)?;
    let arity = spec.operator.arity() as usize;
    let rounding = if spec.operator.has_floats(T::TYPE) { spec.operator.rounding() } else { Rounding::Exact };
    let mut verified = Verified { compared: 0, unbounded: 0 };
    // Of a counted scan there are as many results as count.
    let visits = if counts { (got.len() / arity) as u64 } else { spec.len };
    if rounding == Rounding::Unknown {
        verified.unbounded = visits * arity as u64;
        return Ok(verified);
    }
    let pair = |item: &[T]| [item[0], item[arity - 1]];
    // A use of the operator more for each seed.
    let mut bounds = Bounds::new(spec, depth.saturating_add(spec.has_seed.into()));
    // A NaN spoils every later result of its own scan.
    let mut spoilt = vec![false; spec.tuple as usize];
    // Block by block, so that no memory is needed.
    for (block, begins) in walk.blocks(visits, sums.block) {
        if rounding != Rounding::Exact {
            if begins {
                bounds.begin();
                for item in beside.seed.chunks_exact(arity) {
                    bounds.next(pair(item));
                }
            }
            for place in (0..block.len).map(|number| block.at(number) * arity) {
                let bounded = bounds.next(pair(&input[place..place + arity]));
                for (within, bound) in bounded[..arity].iter().enumerate() {
                    let Some(index) = (place + within).checked_sub(first) else { continue };
                    compare_within(bound, index, got[index], &mut verified)?;
                }
            }
            continue;
        }
        let expected = sums.next(block, begins);
        #[expect(clippy::eq_op, reason = "only a NaN differs from itself")]
        let has_nan = |numbers: &[T]| numbers.iter().any(|number| number != number);
        if begins {
            spoilt.fill(has_nan(beside.seed));
        }
        let at = block.at(0) * arity;
        if block.step == 1
            && at >= first
            && got[at - first..][..expected.len()] == *expected
            && !spoilt.contains(&true)
            && !has_nan(&input[at..][..expected.len()])
        {
            verified.compared += expected.len() as u64;
            continue;
        }
        for (number, expected) in expected.iter().enumerate() {
            let (item, within) = (number / arity, number % arity);
            let at = block.at(item as u64) * arity + within;
            let spoilt = &mut spoilt[item % spec.tuple as usize];
            *spoilt |= has_nan(&input[at..=at]);
            let Some(index) = at.checked_sub(first) else { continue };
            let (expected, got) = (*expected, got[index]);
            if *spoilt {
                verified.unbounded += 1;
            } else if expected == got || (vanishes(expected) && vanishes(got)) {
                verified.compared += 1;
            } else {
                return Err(Mismatch {
                    what: "element",
                    index,
                    expected: expected.to_string(),
                    got: got.to_string(),
                    tolerance: None,
                });
            }
        }
    }
    Ok(verified)
}

/// Returns true if a float is so small that a GPU may flush it to zero. No integer is.
pub(crate) fn vanishes<T: Element>(value: T) -> bool {
    T::TYPE.is_float() && value.to_f64().abs() < f64::from(f32::MIN_POSITIVE)
}

fn compare_within<T: Element>(
    bound: &Bounded,
    index: usize,
    got: T,
    verified: &mut Verified,
) -> Result<(), Mismatch> {
    let off = (got.to_f64() - bound.value).abs();
    if !bound.error.is_finite() {
        verified.unbounded += 1;
    } else if off <= bound.error {
        verified.compared += 1;
    } else {
        return Err(Mismatch {
            what: "element",
            index,
            expected: bound.value.to_string(),
            got: got.to_string(),
            tolerance: Some(bound.error),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::ElementType;
    use crate::operator::{Definition, Operator};

    /// The definition, spelled out: fold every prefix on its own.
    fn by_definition(spec: &ScanSpec, input: &[u64]) -> Vec<u64> {
        let arity = spec.operator.arity() as usize;
        let tuple = spec.tuple as usize;
        let item = |values: &[u64], i: usize| {
            let mut item = [0; 2];
            item[..arity].copy_from_slice(&values[i * arity..(i + 1) * arity]);
            item
        };
        let mut values = input.to_vec();
        for order in 1..=spec.order {
            let source = values.clone();
            for i in 0..source.len() / arity {
                let exclusive = order == spec.order && spec.kind == ScanKind::Exclusive;
                let end = if exclusive { i } else { i + 1 };
                let folded = (0..end)
                    .filter(|j| j % tuple == i % tuple)
                    .fold(spec.operator.identity::<u64, 2>(), |sum, j| {
                        spec.operator.combine(sum, item(&source, j)).unwrap()
                    });
                values[i * arity..(i + 1) * arity].copy_from_slice(&folded[..arity]);
            }
        }
        values
    }

    #[test]
    fn the_reference_is_the_definition() {
        // The long ones have several blocks.
        let long = [&Operator::ADD, &Operator::AFFINE].map(|operator| (operator, BLOCK as usize + 52));
        for (operator, len) in Operator::ALL.iter().map(|operator| (operator, 12)).chain(long) {
            for (order, tuple) in [(1, 1), (3, 1), (1, 3), (2, 2)] {
                for kind in [ScanKind::Inclusive, ScanKind::Exclusive] {
                    let spec =
                        ScanSpec::new::<u64>(len).operator(operator).kind(kind).order(order).tuple(tuple);
                    let input: Vec<u64> =
                        (1..=spec.elements()).map(|i| i.wrapping_mul(0x9E37_79B9_97F4_A7C1)).collect();
                    assert_eq!(sequential(&spec, &input).unwrap(), by_definition(&spec, &input), "{spec}");
                }
            }
        }
    }

    #[test]
    fn a_wrong_integer_is_found_at_its_place() {
        let spec = ScanSpec::new::<u32>(4);
        let wrong = verify(&spec, 2, &[1u32, 2, 3, 4], &[1, 3, 7, 10]).unwrap_err();
        assert_eq!((wrong.index, wrong.expected.as_str(), wrong.got.as_str()), (2, "6", "7"));
        let ones = vec![1u32; 3 * BLOCK as usize];
        let mut results = sequential(&ScanSpec::new::<u32>(ones.len()), &ones).unwrap();
        for place in [0, BLOCK as usize, 2 * BLOCK as usize - 1, ones.len() - 1] {
            results[place] ^= 1;
            let wrong = verify(&ScanSpec::new::<u32>(ones.len()), 2, &ones, &results).unwrap_err();
            assert_eq!(wrong.index, place);
            results[place] ^= 1;
        }
    }

    /// The tolerance at each index, taken from what `verify` says of a result that is wrong everywhere.
    fn verified<const N: usize>(operator: Operator, depth: u64, input: &[f32], got: [f32; N]) -> Option<u64> {
        let spec = ScanSpec::new::<f32>(input.len() / operator.arity() as usize).operator(operator);
        verify(&spec, depth, input, &got).ok().map(|verified| verified.unbounded)
    }

    #[test]
    fn float_bounds_admit_rounding_and_nothing_else() {
        let input: Vec<f32> = (0..1000).map(|i| (i as f32).sin()).collect();
        let spec = ScanSpec::new::<f32>(1000);
        let result = sequential(&spec, &input).unwrap();
        assert_eq!(verify(&spec, 1000, &input, &result).unwrap().compared, 1000);
        // Too large by a hundredth of a thousandth, in a sum whose magnitudes add up to some 450.
        let mut wrong = result.clone();
        wrong[700] += 1e-3;
        assert_eq!(verify(&spec, 10, &input, &wrong).unwrap_err().index, 700);
        // One element left out, however many additions there are.
        let ones = vec![1f32; 1000];
        let mut wrong = sequential(&spec, &ones).unwrap();
        wrong[999] -= 1.0;
        assert_eq!(verify(&spec, 1000, &ones, &wrong).unwrap_err().index, 999);
    }

    #[test]
    fn products_are_held_to_their_own_magnitude() {
        let input = [1e30f32, 1e-36];
        assert_eq!(verified(Operator::MUL, 1, &input, [1e30, 1e-6]), Some(0));
        for wrong in [0.02, 0.0, -0.02, 1.1e-6] {
            assert_eq!(verified(Operator::MUL, 1, &input, [1e30, wrong]), None, "{wrong}");
        }
        let big = 2f32.powi(120);
        let maps = [big, 1.0, 1.0 / big, 1.0];
        assert_eq!(verified(Operator::AFFINE, 1, &maps, [big, 1.0, 1.0, 1.0]), Some(0));
        assert_eq!(verified(Operator::AFFINE, 1, &maps, [big, 1.0, 1.0, 0.99]), None);
    }

    #[test]
    fn what_may_overflow_is_counted_and_not_demanded() {
        // From left to right this is finite; from right to left it overflows on the way.
        let product = [1e-30f32, 1e30, 1e30];
        assert_eq!(verified(Operator::MUL, 2, &product, [1e-30, 1.0, f32::INFINITY]), Some(1));
        assert_eq!(verified(Operator::ADD, 1, &[3e38f32, 3e38], [3e38, f32::INFINITY]), Some(1));
        // Nine roundings up carry a sum over the edge that stays below it in exact arithmetic.
        let ulp = 2f32.powi(104);
        let mut edge = vec![f32::MAX - 8.0 * ulp];
        edge.extend([0.51 * ulp; 9]);
        let spec = ScanSpec::new::<f32>(10);
        let result = sequential(&spec, &edge).unwrap();
        assert!(verify(&spec, 10, &edge, &result).is_ok(), "{result:?}");
        // An overflow, then a slope of zero: f32 has turned 0 · inf into it.
        let maps = [1f32, 3e38, 1.0, 3e38, 0.0, 5.0, 1.0, 1.0];
        let spec = ScanSpec::new::<f32>(4).operator(Operator::AFFINE);
        let result = sequential(&spec, &maps).unwrap();
        assert!(verify(&spec, 4, &maps, &result).is_ok(), "{result:?}");
        // A NaN spoils all that follows, and nothing before.
        assert_eq!(verified(Operator::ADD, 2, &[1f32, f32::NAN, 1.0], [1.0, 7.0, 7.0]), Some(2));
        assert_eq!(verified(Operator::MAX, 2, &[1f32, f32::NAN, 1.0], [1.0, 7.0, 7.0]), Some(2));
        assert_eq!(verified(Operator::ADD, 2, &[1f32, f32::NAN, 1.0], [2.0, 7.0, 7.0]), None);
    }

    #[test]
    fn long_sequential_sums_are_still_bounded() {
        let len = (1 << 23) + 5;
        let spec = ScanSpec::new::<f32>(len);
        let verified =
            verify(&spec, len as u64, &vec![1f32; len], &sequential(&spec, &vec![1f32; len]).unwrap());
        assert_eq!(verified.unwrap().unbounded, 0);
    }

    #[test]
    fn orders_carry_their_errors_along() {
        let input: Vec<f32> = (0..100).map(|i| 0.1 + i as f32).collect();
        for operator in &[Operator::ADD, Operator::MUL, Operator::AFFINE] {
            let spec = ScanSpec::new::<f32>(100 / operator.arity() as usize).operator(operator).order(2);
            let scaled: Vec<f32> = match operator.rounding() {
                Rounding::Sum => input.clone(),
                _ => input.iter().map(|x| 1.0 + (x * 7.0).sin() / 16.0).collect(),
            };
            let result = sequential(&spec, &scaled).unwrap();
            let verified = verify(&spec, 100, &scaled, &result).unwrap();
            assert_eq!(verified.unbounded, 0, "{operator}");
            let mut wrong = result.clone();
            let last = wrong.len() - 1;
            wrong[last] *= 1.01;
            assert!(verify(&spec, 100, &scaled, &wrong).is_err(), "{operator}");
        }
    }

    #[test]
    fn an_operator_without_a_twin_is_not_checked() {
        let operator = Definition::new("own", "// none").identity(ElementType::U32, &[0]);
        let spec = ScanSpec::new::<u32>(2).operator(Operator::new(operator).unwrap());
        let error = sequential(&spec, &[1u32, 2]).unwrap_err();
        assert!(matches!(&error, Error::NoTwin(operator) if operator.name() == "own"), "{error}");
        let mismatch = verify(&spec, 1, &[1u32, 2], &[1, 2]).unwrap_err();
        assert!(mismatch.expected.contains("no CPU twin"), "{mismatch}");
    }
}
