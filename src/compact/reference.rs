//! The sequential compaction: the reference for every other compaction.
//!
//! Source: roger2007, figure 1. Work: n tests, in order. Moved elements must match to the bit, NaN included.

use crate::algorithm::Request;
use crate::algorithm::results::{Mismatch, same};
use crate::compact::{CompactSpec, Keep};
use crate::each;
use crate::element::Element;
use crate::error::Error;
use crate::memory;
use crate::numbers::{Numbers, Written};

/// The kept elements.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept<T> {
    /// The elements, in their order.
    pub values: Vec<T>,
    /// The index of each in the input.
    pub indices: Vec<u32>,
}

/// Compacts on the CPU, one element after the other.
///
/// `mask` is as long as `input` if the spec asks for one; otherwise it is ignored.
///
/// Errors: [`crate::SpecError`] in [`Error::Spec`], and [`Error::Memory`].
///
/// # Panics
///
/// If the length of `input`, or of a mask that is needed, differs from the spec's.
///
/// ```
/// use rasterscan::{CompactSpec, compact};
/// let spec = CompactSpec::new::<i32>(5);
/// let kept = compact::sequential(&spec, &[3, 0, -7, 0, 4], &[]).unwrap();
/// assert_eq!((kept.values, kept.indices), (vec![3, -7, 4], vec![0, 2, 4]));
/// ```
pub fn sequential<T: Element>(spec: &CompactSpec, input: &[T], mask: &[u32]) -> Result<Kept<T>, Error> {
    spec.check()?;
    assert_eq!(input.len() as u64, spec.len, "the input's length is the spec's");
    let mut kept = Kept { values: Vec::new(), indices: Vec::new() };
    for (index, &value) in input.iter().enumerate() {
        let keep = match spec.keep {
            Keep::Condition(condition) => condition.holds(value),
            Keep::Mask => mask[index] != 0,
        };
        if keep {
            memory::push(&mut kept.values, value, "the values of the reference")?;
            memory::push(&mut kept.indices, index as u32, "the indices of the reference")?;
        }
    }
    Ok(kept)
}

/// For each element of a compaction's input whether it is kept; `None` for every other problem, and where an input is
/// missing or of another type. The inputs are the stream and, if the spec asks for one, the mask.
pub fn keeps<'a>(request: &Request, inputs: impl IntoIterator<Item = &'a Numbers>) -> Option<Vec<bool>> {
    let spec: &CompactSpec = request.get()?;
    let mut inputs = inputs.into_iter();
    match spec.keep {
        Keep::Mask => Some(inputs.nth(1)?.words().iter().map(|&word| word != 0).collect()),
        Keep::Condition(condition) => {
            let values = inputs.next()?;
            if condition.element() != values.element() {
                return None;
            }
            each!(values, values => Some(values.iter().map(|value| condition.holds(*value)).collect()))
        }
    }
}

/// Compares results with the compaction of `input`, bit by bit; `None` for a stream that was not moved. Needs no
/// further memory. Returns the number of values compared, the count among them.
///
/// Errors: the first wrong index; the count first.
///
/// # Panics
///
/// As [`sequential`].
pub fn verify<T: Element>(
    spec: &CompactSpec,
    input: &[T],
    mask: &[u32],
    count: u64,
    values: Option<&[T]>,
    indices: Option<&[u32]>,
) -> Result<u64, Mismatch> {
    assert_eq!(input.len() as u64, spec.len, "the input's length is the spec's");
    let kept = || {
        let kept = input.iter().enumerate().filter(|(index, value)| match spec.keep {
            Keep::Condition(condition) => condition.holds(**value),
            Keep::Mask => mask[*index] != 0,
        });
        kept.map(|(index, value)| (index as u32, *value))
    };
    let expected = kept().count();
    if count != expected as u64 {
        return Err(Mismatch::exact("count", 0, expected.to_string(), count.to_string()));
    }
    let lacks = |what, len: usize| {
        let (expected, got) = (format!("one of {expected}"), format!("one of {len}"));
        Err(Mismatch::exact(what, len.min(count as usize), expected, got))
    };
    let mut compared = 1;
    if let Some(values) = values {
        if values.len() != expected {
            return lacks("value", values.len());
        }
        for (place, ((_, value), got)) in kept().zip(values).enumerate() {
            if bytemuck::bytes_of(&value) != bytemuck::bytes_of(got) {
                let [value, got] = [value, *got].map(|number| Written(number).to_string());
                return Err(Mismatch::exact("value", place, value, got));
            }
        }
        compared += count;
    }
    if let Some(indices) = indices {
        if indices.len() != expected {
            return lacks("index", indices.len());
        }
        for (place, ((index, _), got)) in kept().zip(indices).enumerate() {
            if index != *got {
                return Err(Mismatch::exact("index", place, index.to_string(), got.to_string()));
            }
        }
        compared += count;
    }
    Ok(compared)
}

impl<T: Element> Kept<T> {
    /// Compares results with this, bit by bit; `None` for a stream that was not moved. Returns the number of values
    /// compared, the count among them.
    pub fn verify(&self, count: u64, values: Option<&[T]>, indices: Option<&[u32]>) -> Result<u64, Mismatch> {
        let expected = self.indices.len() as u64;
        if count != expected {
            return Err(Mismatch::exact("count", 0, expected.to_string(), count.to_string()));
        }
        let mut compared = 1;
        if let Some(values) = values {
            compared += same("value", &self.values, values)?;
        }
        if let Some(indices) = indices {
            compared += same("index", &self.indices, indices)?;
        }
        Ok(compared)
    }
}
