//! A number as people and files write it: one set of rules for numbers that are typed in, texts and conditions.

use std::cmp::Ordering;
use std::fmt;

use crate::element::{Element, ElementType};

/// A number as text.
///
/// ```
/// use rasterscan::ElementType;
/// use rasterscan::tools::numbers::{Word, WordError};
///
/// assert_eq!(Word("1.2e1").whole(), Ok(12));
/// assert_eq!(Word("1e39").single(false), Err(WordError::DoesNotFit(ElementType::F32)));
/// assert_eq!(Word("16777217").single(true), Err(WordError::Inexact));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'t>(pub &'t str);

/// A reason why a word is not a number of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WordError {
    /// It is not a number of any element.
    #[error("is not a number")]
    NotANumber,
    /// It has a fraction, or is too long, and the element is an integer.
    #[error("is not an integer of at most 64 bits")]
    NotWhole,
    /// It is an integer beyond all types.
    #[error("fits no integer type")]
    TooLong,
    /// It is beyond the range of the element.
    #[error("does not fit {0}")]
    DoesNotFit(ElementType),
    /// It is an integer between two neighbouring f32.
    #[error("is not exact in f32; write it with a decimal point to have it rounded")]
    Inexact,
}

impl Word<'_> {
    /// Returns true if the number is written as an integer: digits, with or without a sign.
    pub fn is_integer(self) -> bool {
        let digits = self.0.strip_prefix(['-', '+']).unwrap_or(self.0);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// The value as a whole number: `12`, and also `12.0` and `1.2e1`.
    pub fn whole(self) -> Result<i128, WordError> {
        if self.is_integer() {
            return self.0.parse().map_err(|_| WordError::TooLong);
        }
        self.0.parse::<f64>().map_err(|_| WordError::NotANumber)?;
        whole_decimal(self.0).ok_or(WordError::NotWhole)
    }

    /// The nearest f32; an infinity only if it is written as one. If `exact`, an integer must be exact in f32, or
    /// be written as f32 are written, with zeros for the digits that it does not have.
    pub fn single(self, exact: bool) -> Result<f32, WordError> {
        let value: f32 = self.0.parse().map_err(|_| WordError::NotANumber)?;
        if value.is_infinite() && self.0.bytes().any(|byte| byte.is_ascii_digit()) {
            return Err(WordError::DoesNotFit(ElementType::F32));
        }
        let is_exact = || self.whole().is_ok_and(|whole| value as i128 == whole) || self.is_shown(value);
        if exact && self.is_integer() && !is_exact() { Err(WordError::Inexact) } else { Ok(value) }
    }

    /// Returns true if a float is shown as this integer.
    fn is_shown(self, value: f32) -> bool {
        value.to_string() == self.0.strip_prefix('+').unwrap_or(self.0)
    }
}

/// A number in the text that [`Word`] reads as the same number. Rust writes every NaN as `NaN`; here it keeps its sign, which
/// sorts go by, and loses its other bits.
///
/// ```
/// use rasterscan::tools::numbers::Written;
///
/// assert_eq!([Written(-f32::NAN), Written(f32::NAN)].map(|nan| nan.to_string()), ["-NaN", "NaN"]);
/// assert_eq!(format!("{0} {0:?}", Written(1.0f32)), "1 1.0");
/// ```
pub struct Written<T>(pub T);

impl<T: Element> Written<T> {
    fn sign(&self) -> &'static str {
        // Only -NaN comes before minus infinity.
        if self.0.total_order(&T::LOWEST) == Ordering::Less { "-" } else { "" }
    }
}

impl<T: Element> fmt::Display for Written<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.sign(), self.0)
    }
}

impl<T: Element> fmt::Debug for Written<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.sign(), self.0)
    }
}

/// The narrowest type that holds all words that it has seen: u32, i32, u64, i64, and f32 where one has a decimal point or
/// an exponent.
#[derive(Debug, Clone, Copy, Default)]
pub struct Narrowest {
    low: i128,
    high: i128,
    /// True if a word was not written as an integer. Then integers beside it are rounded to f32 as it is.
    pub float: bool,
}

impl Narrowest {
    /// Looks at a word.
    ///
    /// Errors: it is not a number.
    pub fn add(&mut self, word: Word<'_>) -> Result<(), WordError> {
        if word.is_integer() {
            let value = word.whole()?;
            self.low = self.low.min(value);
            self.high = self.high.max(value);
        } else {
            word.single(false)?;
            self.float = true;
        }
        Ok(())
    }

    /// The type; one of 64 bits if some words fit none.
    pub fn element(self) -> ElementType {
        let within = |least: i128, most: i128| self.low >= least && self.high <= most;
        if self.float {
            ElementType::F32
        } else if within(0, u32::MAX.into()) {
            ElementType::U32
        } else if within(i32::MIN.into(), i32::MAX.into()) {
            ElementType::I32
        } else if within(0, i128::MAX) {
            ElementType::U64
        } else {
            ElementType::I64
        }
    }
}

/// The exact value of a decimal, if it is a whole number in the range of i128.
///
/// Through f64, 9007199254740993.0 would become 9007199254740992.
fn whole_decimal(text: &str) -> Option<i128> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{before}{after}");
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    // Zeros after the last nonzero digit: those written, and those of the exponent.
    let written = (digits.len() - significant.len()) as i64 - after.len() as i64;
    let zeros = u32::try_from(exponent.parse::<i64>().ok()?.checked_add(written)?).ok()?;
    let value = significant.parse::<i128>().ok()?.checked_mul(10i128.checked_pow(zeros)?)?;
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_decimals_keep_their_last_digit() {
        for (text, value) in [
            ("9007199254740993.0", Some(9007199254740993)),
            ("-9007199254740993.", Some(-9007199254740993)),
            ("+.5e1", Some(5)),
            ("1200e-2", Some(12)),
            ("1250e-2", None),
            ("0.0e-999999999999999999999", Some(0)),
            ("1e-9223372036854775808", None),
            ("1e9223372036854775807", None),
            ("1e38", Some(10i128.pow(38))),
            ("1e39", None),
            ("1.5", None),
            ("nan", None),
            ("-inf", None),
        ] {
            assert_eq!(whole_decimal(text), value, "{text}");
        }
    }

    #[test]
    fn an_integer_is_exact_in_f32_or_is_refused() {
        let exact = |text: &str| Word(text).single(true);
        for text in ["16777217", "-16777217", "99999999999999999999", "+33554433"] {
            assert_eq!(exact(text), Err(WordError::Inexact), "{text}");
            assert!(Word(text).single(false).is_ok(), "{text}");
        }
        for value in [0.0, -7.0, 16777216.0, 1e20, f32::MAX, -3.4e38] {
            assert_eq!(exact(&value.to_string()), Ok(value), "what is written is read again");
        }
        assert_eq!([exact("+5"), exact("16777217.0"), exact("-0")], [Ok(5.0), Ok(16777216.0), Ok(0.0)]);
        assert_eq!([exact("inf"), exact("-inf")], [Ok(f32::INFINITY), Ok(f32::NEG_INFINITY)]);
        assert!([exact("-NaN"), exact("-nan")].iter().all(|nan| nan.as_ref().unwrap().is_sign_negative()));
        let long = "9".repeat(60);
        for text in ["1e400", "1e39", "-1e39", &long] {
            assert_eq!(exact(text), Err(WordError::DoesNotFit(ElementType::F32)), "{text}");
        }
    }
}
