//! The sequential compaction: the oracle of its family.
//!
//! Source: roger2007, figure 1. Work: n tests, in order. What is moved must match to the bit, NaN included.

use crate::algorithm::results::{Mismatch, same};
use crate::compact::{CompactSpec, Keep};
use crate::element::Element;
use crate::error::Error;
use crate::memory;

/// What a compaction keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept<T> {
    /// The elements, in their order.
    pub values: Vec<T>,
    /// Where each stood in the input.
    pub indices: Vec<u32>,
}

/// Compacts on the CPU, one element after the other.
///
/// `mask` is as long as `input` where the spec asks for one, and of no account otherwise.
///
/// Errors: [`crate::SpecError`] in [`Error::Spec`], and [`Error::Memory`].
///
/// # Panics
///
/// If `input`, or a mask that is needed, is of another length than the spec's.
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

/// Compares results with the compaction of `input`, bit by bit; `None` where something was not moved. Needs no memory beside
/// these. Gives how many numbers were compared, the count among them.
///
/// Errors: the first place that is wrong; the count first.
///
/// # Panics
///
/// As [`sequential`].
pub fn verify<T: Element>(
    spec: &CompactSpec,
    (input, mask): (&[T], &[u32]),
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
                return Err(Mismatch::exact("value", place, value.to_string(), got.to_string()));
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
    /// Compares results with this, bit by bit; `None` where something was not moved. Gives how many numbers
    /// were compared, the count among them.
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
