//! The sequential compaction: the oracle of its family.
//!
//! Source: roger2007, figure 1. Work: n tests, in order. What is moved must match to the bit, NaN included.

use super::Mismatch;
use crate::element::Element;
use crate::error::Error;
use crate::memory;
use crate::spec::{CompactSpec, Keep};

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
/// use rasterscan::{CompactSpec, reference};
/// let spec = CompactSpec::new::<i32>(5);
/// let kept = reference::compact(&spec, &[3, 0, -7, 0, 4], &[]).unwrap();
/// assert_eq!((kept.values, kept.indices), (vec![3, -7, 4], vec![0, 2, 4]));
/// ```
pub fn compact<T: Element>(spec: &CompactSpec, input: &[T], mask: &[u32]) -> Result<Kept<T>, Error> {
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

impl<T: Element> Kept<T> {
    /// Compares results with this, bit by bit; `None` where something was not moved. Gives how many numbers
    /// were compared, the count among them.
    pub fn verify(&self, count: u64, values: Option<&[T]>, indices: Option<&[u32]>) -> Result<u64, Mismatch> {
        let expected = self.indices.len() as u64;
        if count != expected {
            return Err(differs("count", 0, expected.to_string(), count.to_string()));
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

fn differs(what: &'static str, index: usize, expected: String, got: String) -> Mismatch {
    Mismatch { what, index, expected, got, tolerance: None }
}

/// Compares elements bit by bit, NaN included; `what` they are to be called. Gives how many were compared.
pub fn same<T: Element>(what: &'static str, expected: &[T], got: &[T]) -> Result<u64, Mismatch> {
    if expected.len() != got.len() {
        let len = expected.len().min(got.len());
        return Err(differs(
            what,
            len,
            format!("one of {}", expected.len()),
            format!("one of {}", got.len()),
        ));
    }
    let unlike = |(a, b): (&T, &T)| bytemuck::bytes_of(a) != bytemuck::bytes_of(b);
    match expected.iter().zip(got).position(unlike) {
        Some(index) => Err(differs(what, index, expected[index].to_string(), got[index].to_string())),
        None => Ok(got.len() as u64),
    }
}
