//! Results, and their comparison with the reference: the part that all problems share.
//!
//! The references are [`scan::sequential`](crate::scan::sequential()),
//! [`compact::sequential`](crate::compact::sequential()) and [`reduce::sequential`](crate::reduce::sequential()).
//! Integers must match to the bit, and so must anything that is only moved. Floats must lie within a bound that
//! [`scan::verify`](crate::scan::verify()) states.

use super::Output;
use crate::each;
use crate::element::Element;
use crate::numbers::{Numbers, Written};

/// The results of an algorithm, or of the reference: the numbers of each output, in the order of [`Spec::outputs`](super::Spec::outputs).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Results(Vec<(Output, Numbers)>);

impl Results {
    /// The numbers of each output; counted outputs are cut to the count.
    pub fn new(outputs: impl IntoIterator<Item = (Output, Numbers)>) -> Results {
        let mut results = Results(outputs.into_iter().collect());
        if let Some(count) = results.count() {
            let counted = results.0.iter_mut().filter(|(output, _)| output.counted);
            counted.for_each(|(output, numbers)| {
                let valid = count.saturating_mul(output.arity.into());
                numbers.truncate(usize::try_from(valid).unwrap_or(usize::MAX));
            });
        }
        results
    }

    /// All streams except the count, with their descriptions.
    pub fn streams(&self) -> impl Iterator<Item = (&Output, &Numbers)> {
        self.0
            .iter()
            .filter(|(output, _)| *output != Output::COUNT)
            .map(|(output, numbers)| (output, numbers))
    }

    /// The same streams, by value.
    pub fn into_streams(self) -> impl Iterator<Item = (Output, Numbers)> {
        self.0.into_iter().filter(|(output, _)| *output != Output::COUNT)
    }

    /// The number of valid results in the counted streams; `None` if nothing is counted.
    pub fn count(&self) -> Option<u64> {
        let (_, count) = self.0.iter().find(|(output, _)| *output == Output::COUNT)?;
        count.words().first().copied().map(u64::from)
    }

    /// The first stream.
    pub fn first(&self) -> Option<&Numbers> {
        self.0.first().map(|(_, numbers)| numbers)
    }

    /// The numbers of the output with this name.
    pub fn get(&self, name: &str) -> Option<&Numbers> {
        self.0.iter().find(|(output, _)| output.name == name).map(|(_, numbers)| numbers)
    }

    /// Checks that these are the same streams as `expected`, bit by bit, NaN included. The count is compared first.
    ///
    /// Errors: the first index that differs.
    pub fn same(&self, expected: &Results) -> Result<Verified, Mismatch> {
        let mut compared = 0;
        let (counts, others): (Vec<_>, Vec<_>) =
            expected.0.iter().partition(|(output, _)| *output == Output::COUNT);
        for (output, expected) in counts.into_iter().chain(others) {
            let got = self.get(output.name).filter(|got| got.element() == expected.element());
            compared += match got {
                Some(got) => {
                    each!(expected, expected => same(output.one, expected, got.get().unwrap_or_default()))
                }
                None => Err(Mismatch::exact(
                    output.one,
                    0,
                    format!("one of {} {}", expected.len(), expected.element()),
                    "missing".into(),
                )),
            }?;
        }
        Ok(Verified { compared, unbounded: 0 })
    }
}

/// The outcome of a check against the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// Numbers that were compared and agree.
    pub compared: u64,
    /// Floats that have no bound: see [`scan::verify`](crate::scan::verify()).
    pub unbounded: u64,
}

impl Verified {
    /// Returns true if the check shows that a result is right. If nothing could be compared, the absence of a mismatch
    /// proves nothing. An empty result is always right.
    pub fn holds(self) -> bool {
        self.compared > 0 || self.unbounded == 0
    }
}

/// The first wrong number of a result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{} is {got}, expected {expected}{}", place_text(.what, *.index), tolerance_text(*.tolerance))]
pub struct Mismatch {
    /// The kind of number: an `element`; for a compaction a `value`, an `index`, or the `count`.
    pub what: &'static str,
    /// Its index; 0 for the count.
    pub index: usize,
    /// The right value, as text.
    pub expected: String,
    /// The value found, as text.
    pub got: String,
    /// The largest permitted error of a float; `None` where the result must be exact.
    pub tolerance: Option<f64>,
}

impl Mismatch {
    /// A mismatch of something that must be exact.
    pub(crate) fn exact(what: &'static str, index: usize, expected: String, got: String) -> Mismatch {
        Mismatch { what, index, expected, got, tolerance: None }
    }
}

fn place_text(what: &str, index: usize) -> String {
    if what == "count" { "the count".into() } else { format!("{what} {index}") }
}

fn tolerance_text(tolerance: Option<f64>) -> String {
    tolerance.map_or(String::new(), |tolerance| format!(" ± {tolerance:e}"))
}

/// Compares elements bit by bit, NaN included; `what` is their name in errors. Returns the number of elements compared.
///
/// Errors: the first element that differs, or that one of the streams lacks.
pub fn same<T: Element>(what: &'static str, expected: &[T], got: &[T]) -> Result<u64, Mismatch> {
    let unlike = |(a, b): (&T, &T)| bytemuck::bytes_of(a) != bytemuck::bytes_of(b);
    if let Some(index) = expected.iter().zip(got).position(unlike) {
        let [expected, got] = [expected[index], got[index]].map(|number| Written(number).to_string());
        return Err(Mismatch::exact(what, index, expected, got));
    }
    if expected.len() != got.len() {
        let len = expected.len().min(got.len());
        return Err(Mismatch::exact(
            what,
            len,
            format!("one of {}", expected.len()),
            format!("one of {}", got.len()),
        ));
    }
    Ok(got.len() as u64)
}
