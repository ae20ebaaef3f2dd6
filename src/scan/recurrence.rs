//! Linear recurrences with constant coefficients, by their signatures.

use std::fmt;
use std::str::FromStr;

use crate::element::Element;
use crate::limits::SpecError;

/// A linear recurrence, by its signature (a0, a1, ... : b1, b2, ...). Result `i` is
///
/// ```text
/// y[i] = a0 x[i] + a1 x[i-1] + ... + b1 y[i-1] + b2 y[i-2] + ...
/// ```
///
/// with zeros before the first item. In a tuple of s, `i - 1` is `i - s`: each interleaved stream has a recurrence of its
/// own. (1 : 1) is the prefix sum, (1 : 2, -1) the one of order 2, (1 : 1, 1) with the input 1, 0, 0 ... are the numbers of
/// Fibonacci, and (1, -1 : 0) are differences. Integers wrap.
///
/// Source: S. Maleki, M. Burtscher: Automatic Hierarchical Parallelization of Linear Recurrences. ASPLOS 2018.
///
/// ```
/// use rasterscan::{Recurrence, ScanSpec, scan};
/// let fibonacci: Recurrence = "1:1,1".parse().unwrap();
/// let spec = ScanSpec::new::<u32>(8).recurrence(fibonacci);
/// let numbers = scan::sequential(&spec, &[1u32, 0, 0, 0, 0, 0, 0, 0]).unwrap();
/// assert_eq!(numbers, [1, 1, 2, 3, 5, 8, 13, 21]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "recordings", serde(into = "String", try_from = "String"))]
pub struct Recurrence {
    forward: Vec<i64>,
    feedback: Vec<i64>,
}

impl Recurrence {
    /// The most coefficients on each side of a signature.
    pub const MAX_COEFFICIENTS: usize = 8;

    /// The recurrence (a0, a1, ... : b1, b2, ...).
    ///
    /// Errors: [`SpecError::Recurrence`] for no a, or too many of a or b.
    pub fn new(forward: &[i64], feedback: &[i64]) -> Result<Recurrence, SpecError> {
        let fits = |count: usize| count <= Self::MAX_COEFFICIENTS;
        if forward.is_empty() || !fits(forward.len()) || !fits(feedback.len()) {
            return Err(SpecError::Recurrence(format!("{} : {}", list(forward), list(feedback))));
        }
        Ok(Recurrence { forward: forward.into(), feedback: feedback.into() })
    }

    /// The signature of a sum of this order, 1 to 8: the b are binomial coefficients with alternating signs.
    ///
    /// Errors: [`SpecError::Recurrence`] for another order.
    pub fn of_order(order: u32) -> Result<Recurrence, SpecError> {
        let mut feedback = Vec::new();
        let mut binomial = 1i64;
        for k in 1..=i64::from(order).min(9) {
            binomial = -binomial * (i64::from(order) - k + 1) / k;
            feedback.push(-binomial);
        }
        Recurrence::new(if order > 0 { &[1] } else { &[] }, &feedback)
    }

    /// The coefficients of the inputs: a0, a1, ...
    pub fn forward(&self) -> &[i64] {
        &self.forward
    }

    /// The coefficients of the results: b1, b2, ...
    pub fn feedback(&self) -> &[i64] {
        &self.feedback
    }

    /// The results and inputs before an item that its result depends on, in each interleaved stream.
    pub(crate) fn depth(&self) -> usize {
        self.forward.len().max(self.feedback.len() + 1)
    }

    /// The result for an item. `inputs` are the item and those before it, the newest first; `results` are those before.
    pub(crate) fn result<T: Element>(&self, inputs: &[T], results: &[T]) -> T {
        let terms = self.forward.iter().zip(inputs).chain(self.feedback.iter().zip(results));
        terms.fold(T::ZERO, |sum, (coefficient, value)| sum.plus(T::wrapped(*coefficient).times(*value)))
    }
}

fn list(coefficients: &[i64]) -> String {
    coefficients.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

impl fmt::Display for Recurrence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", list(&self.forward), list(&self.feedback))
    }
}

impl FromStr for Recurrence {
    type Err = SpecError;

    /// Reads `a0,a1,...:b1,b2,...`. Without a colon, the first number is a0 and the others are b: `1,2,-1` is `1:2,-1`.
    fn from_str(text: &str) -> Result<Recurrence, SpecError> {
        let wrong = || SpecError::Recurrence(text.into());
        let read = |list: &str| -> Result<Vec<i64>, SpecError> {
            let numbers = list.split(',').map(|number| number.trim().parse().map_err(|_| wrong()));
            if list.trim().is_empty() { Ok(Vec::new()) } else { numbers.collect() }
        };
        let (forward, feedback) = text.split_once(':').or_else(|| text.split_once(',')).unwrap_or((text, ""));
        Recurrence::new(&read(forward)?, &read(feedback)?).map_err(|_| wrong())
    }
}

impl From<Recurrence> for String {
    fn from(recurrence: Recurrence) -> String {
        recurrence.to_string()
    }
}

impl TryFrom<String> for Recurrence {
    type Error = SpecError;

    fn try_from(text: String) -> Result<Recurrence, SpecError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_read_and_printed() {
        for (text, printed) in [
            ("1,2,-1", "1:2,-1"),
            ("1:2,-1", "1:2,-1"),
            (" 3 , -1 : 0", "3,-1:0"),
            ("5", "5:"),
            ("1,-1:", "1,-1:"),
        ] {
            assert_eq!(text.parse::<Recurrence>().unwrap().to_string(), printed, "{text}");
        }
        for text in ["", ":", ":1", "1:1:1", "1,,2", "a", "1:0.5", "1:1,1,1,1,1,1,1,1,1"] {
            let error = text.parse::<Recurrence>().unwrap_err().to_string();
            assert!(error.contains(&format!("'{text}'")), "{error}");
        }
    }

    #[test]
    fn sums_have_binomial_coefficients() {
        assert_eq!(Recurrence::of_order(3).unwrap().to_string(), "1:3,-3,1");
        assert_eq!(Recurrence::of_order(1).unwrap().to_string(), "1:1");
        assert!(Recurrence::of_order(0).is_err() && Recurrence::of_order(9).is_err());
    }
}
