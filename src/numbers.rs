//! Numbers whose type is known only at run time, and their exact conversion into one another.
//!
//! ```
//! use rasterscan::{ElementType, tools::Numbers};
//! let numbers = Numbers::from(vec![3u32, 1, 4]);
//! assert_eq!((numbers.len(), numbers.element(), numbers.decimal(2).as_str()), (3, ElementType::U32, "4"));
//! assert_eq!(numbers.convert(ElementType::F32)?, Numbers::F32(vec![3.0, 1.0, 4.0]));
//! # Ok::<(), rasterscan::Error>(())
//! ```

use std::io::{self, Write};

use crate::element::{Element, ElementType};
use crate::error::{DoesNotFit, Error, NoNumber};
use crate::memory;

pub use crate::word::{Narrowest, Word, WordError, Written};

/// A stream of numbers of one type. Two streams are equal if they have the same type and the same bits.
#[derive(Debug, Clone)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "form::Words", try_from = "form::Words")
)]
#[expect(missing_docs, reason = "a variant is its element type")]
pub enum Numbers {
    U32(Vec<u32>),
    I32(Vec<i32>),
    F32(Vec<f32>),
    U64(Vec<u64>),
    I64(Vec<i64>),
}

/// Compiles an expression for each element type and runs the one for this element; the name stands for the Rust type.
///
/// ```
/// use rasterscan::{ElementType, tools::for_element};
///
/// let bytes = |element: ElementType| for_element!(element, T => size_of::<T>());
/// assert_eq!((bytes(ElementType::F32), bytes(ElementType::I64)), (4, 8));
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! for_element {
    ($element:expr, $T:ident => $body:expr) => {
        match $element {
            $crate::ElementType::U32 => {
                type $T = u32;
                $body
            }
            $crate::ElementType::I32 => {
                type $T = i32;
                $body
            }
            $crate::ElementType::F32 => {
                type $T = f32;
                $body
            }
            $crate::ElementType::U64 => {
                type $T = u64;
                $body
            }
            $crate::ElementType::I64 => {
                type $T = i64;
                $body
            }
        }
    };
}

/// Runs an expression on the vector inside of [`Numbers`]: `each!(&numbers, values => values.len())`.
#[doc(hidden)]
#[macro_export]
macro_rules! each {
    ($numbers:expr, $values:ident => $body:expr) => {
        match $numbers {
            $crate::tools::Numbers::U32($values) => $body,
            $crate::tools::Numbers::I32($values) => $body,
            $crate::tools::Numbers::F32($values) => $body,
            $crate::tools::Numbers::U64($values) => $body,
            $crate::tools::Numbers::I64($values) => $body,
        }
    };
}

macro_rules! wrap {
    ($($rust:ty, $variant:ident);*) => {
        $(impl From<Vec<$rust>> for Numbers {
            fn from(values: Vec<$rust>) -> Numbers {
                Numbers::$variant(values)
            }
        })*
    };
}
wrap!(u32, U32; i32, I32; f32, F32; u64, U64; i64, I64);

impl Numbers {
    /// A copy of these numbers.
    pub fn of<T: Element>(numbers: &[T]) -> Numbers {
        Numbers::of_bytes(T::TYPE, bytemuck::cast_slice(numbers))
    }

    /// The numbers with these bytes, in this machine's byte order. An incomplete last number is left out.
    pub fn of_bytes(element: ElementType, bytes: &[u8]) -> Numbers {
        crate::for_element!(element, T => {
            let whole = bytes.len() - bytes.len() % size_of::<T>();
            bytemuck::pod_collect_to_vec::<u8, T>(&bytes[..whole]).into()
        })
    }

    /// Reads numbers separated by white space, commas or semicolons. If all are written as integers, they must be exact
    /// in f32.
    ///
    /// Errors: the first word that is not a number of this element, and its index.
    pub fn parse(element: ElementType, text: &str) -> Result<Numbers, NoNumber> {
        fn all<'t, T>(
            words: impl Iterator<Item = Word<'t>>,
            element: ElementType,
            read: impl Fn(Word<'t>) -> Result<T, WordError>,
        ) -> Result<Numbers, NoNumber>
        where
            Numbers: From<Vec<T>>,
        {
            let number = |(index, word): (usize, Word<'t>)| {
                read(word).map_err(|fault| NoNumber { index, word: word.0.into(), element, fault })
            };
            Ok(words.enumerate().map(number).collect::<Result<Vec<T>, _>>()?.into())
        }
        macro_rules! integers {
            ($rust:ty) => {
                all(words(text), element, |word| {
                    <$rust>::try_from(word.whole()?).map_err(|_| WordError::DoesNotFit(element))
                })
            };
        }
        match element {
            ElementType::U32 => integers!(u32),
            ElementType::I32 => integers!(i32),
            ElementType::U64 => integers!(u64),
            ElementType::I64 => integers!(i64),
            ElementType::F32 => {
                let exact = words(text).all(Word::is_integer);
                all(words(text), element, |word| word.single(exact))
            }
        }
    }

    /// The length of the stream, in numbers.
    pub fn len(&self) -> usize {
        each!(self, values => values.len())
    }

    /// Returns true if the stream has no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The type of the numbers.
    pub fn element(&self) -> ElementType {
        match self {
            Numbers::U32(_) => ElementType::U32,
            Numbers::I32(_) => ElementType::I32,
            Numbers::F32(_) => ElementType::F32,
            Numbers::U64(_) => ElementType::U64,
            Numbers::I64(_) => ElementType::I64,
        }
    }

    /// The numbers as a slice of their type.
    ///
    /// Errors: [`Error::ElementMismatch`].
    pub fn get<T: Element>(&self) -> Result<&[T], Error> {
        if T::TYPE != self.element() {
            let got = self.element();
            return Err(Error::ElementMismatch { what: "the stream", got, expected: T::TYPE });
        }
        Ok(each!(self, values => bytemuck::cast_slice(values)))
    }

    /// The words as they lie in textures and buffers: one per number, or two, the lower one first.
    pub fn words(&self) -> &[u32] {
        each!(self, values => bytemuck::cast_slice(values))
    }

    /// The words, mutable.
    pub fn words_mut(&mut self) -> &mut [u32] {
        each!(self, values => bytemuck::cast_slice_mut(values))
    }

    /// Keeps the first `len` numbers.
    pub fn truncate(&mut self, len: usize) {
        each!(self, values => values.truncate(len));
    }

    /// A number in decimal, in the shortest exact form, as [`Written`]; empty beyond the last one.
    pub fn decimal(&self, index: usize) -> String {
        each!(self, values => values.get(index).map(|value| Written(*value).to_string()).unwrap_or_default())
    }

    /// A number's words in hexadecimal, the higher one first.
    pub fn hex(&self, index: usize) -> String {
        let size = self.element().words() as usize;
        let words = self.words().get(index * size..(index + 1) * size).unwrap_or_default();
        words.iter().rev().map(|word| format!("{word:08x}")).collect()
    }

    /// A number as the nearest float, for colours; `None` beyond the last one.
    pub fn to_f64(&self, index: usize) -> Option<f64> {
        each!(self, values => values.get(index).map(|value| Element::to_f64(*value)))
    }

    /// Writes the bytes of all numbers, little-endian.
    pub fn write_le_bytes(&self, out: &mut dyn Write) -> io::Result<()> {
        if cfg!(target_endian = "little") {
            return out.write_all(bytemuck::cast_slice(self.words()));
        }
        each!(self, values => {
            for block in values.chunks(1 << 12) {
                let bytes: Vec<u8> = block.iter().flat_map(|value| value.to_le_bytes()).collect();
                out.write_all(&bytes)?;
            }
            Ok(())
        })
    }

    /// The same values in another type. Integers must be exact in the new type; floats must be whole where it is an
    /// integer type.
    ///
    /// Errors: [`DoesNotFit`] in [`Error::DoesNotFit`], and [`Error::Memory`].
    pub fn convert(self, to: ElementType) -> Result<Numbers, Error> {
        if self.element() == to {
            return Ok(self);
        }
        each!(self, values => convert_all(&values, to))
    }

    /// The first `len` whole numbers of an iterator, as numbers of this type.
    ///
    /// Errors: as [`Self::convert`].
    pub fn of_whole(
        element: ElementType,
        len: usize,
        values: impl Iterator<Item = u64>,
    ) -> Result<Numbers, Error> {
        fn all<T: 'static>(
            len: usize,
            to: ElementType,
            values: impl Iterator<Item = u64>,
            convert: impl Fn(u64) -> Option<T>,
        ) -> Result<Numbers, Error>
        where
            Numbers: From<Vec<T>>,
        {
            let mut numbers = memory::room(len, "the numbers of a stream")?;
            for (index, value) in values.take(len).enumerate() {
                let fits = convert(value);
                numbers.push(fits.ok_or_else(|| DoesNotFit { index, value: value.to_string(), to })?);
            }
            Ok(numbers.into())
        }
        match element {
            ElementType::U32 => all(len, element, values, |value| u32::try_from(value).ok()),
            ElementType::I32 => all(len, element, values, |value| i32::try_from(value).ok()),
            ElementType::U64 => all(len, element, values, Some),
            ElementType::I64 => all(len, element, values, |value| i64::try_from(value).ok()),
            ElementType::F32 => all(len, element, values, Number::single),
        }
    }

    /// Rounds 64-bit floats, which no stream holds, to f32.
    ///
    /// Errors: as [`Self::convert`].
    pub fn narrow(values: &[f64]) -> Result<Numbers, Error> {
        collect(values, ElementType::F32, |value| value.single())
    }
}

/// The words of a text of numbers.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    text.split(|c: char| c.is_whitespace() || ",;".contains(c)).filter(|word| !word.is_empty()).map(Word)
}

impl PartialEq for Numbers {
    fn eq(&self, other: &Numbers) -> bool {
        self.element() == other.element() && self.words() == other.words()
    }
}

impl Eq for Numbers {}

fn convert_all<S: Number>(values: &[S], to: ElementType) -> Result<Numbers, Error> {
    macro_rules! integers {
        ($rust:ty) => {
            collect(values, to, |value| <$rust>::try_from(value.whole()?).ok())
        };
    }
    match to {
        ElementType::U32 => integers!(u32),
        ElementType::I32 => integers!(i32),
        ElementType::U64 => integers!(u64),
        ElementType::I64 => integers!(i64),
        ElementType::F32 => collect(values, to, |value| value.single()),
    }
}

fn collect<S: Number, T>(
    values: &[S],
    to: ElementType,
    convert: impl Fn(S) -> Option<T>,
) -> Result<Numbers, Error>
where
    Numbers: From<Vec<T>>,
{
    let mut converted = memory::room(values.len(), "the numbers in their new type")?;
    for (index, value) in values.iter().enumerate() {
        let fits = convert(*value);
        converted.push(fits.ok_or_else(|| DoesNotFit { index, value: value.to_string(), to })?);
    }
    Ok(Numbers::from(converted))
}

/// The conversions of a number.
trait Number: Copy + ToString {
    /// The value if it is a whole number.
    fn whole(self) -> Option<i128>;
    /// The value in f32: an integer only if it is exact, a float only if it is in range.
    fn single(self) -> Option<f32>;
}

macro_rules! integer_number {
    ($($rust:ty)*) => {
        $(impl Number for $rust {
            fn whole(self) -> Option<i128> {
                Some(i128::from(self))
            }
            fn single(self) -> Option<f32> {
                let single = self as f32;
                (single as i128 == i128::from(self)).then_some(single)
            }
        })*
    };
}
integer_number!(u32 i32 u64 i64);

impl Number for f64 {
    fn whole(self) -> Option<i128> {
        // No element holds a value beyond 2^64.
        (self.fract() == 0.0 && self.abs() <= 2f64.powi(64)).then_some(self as i128)
    }
    fn single(self) -> Option<f32> {
        let single = self as f32;
        (single.is_finite() || !self.is_finite()).then_some(single)
    }
}

impl Number for f32 {
    fn whole(self) -> Option<i128> {
        f64::from(self).whole()
    }
    fn single(self) -> Option<f32> {
        Some(self)
    }
}

/// The form of numbers in files.
#[cfg(feature = "recordings")]
mod form {
    use super::Numbers;
    use crate::element::ElementType;

    #[derive(Debug, serde::Serialize, serde::Deserialize)]
    pub struct Words {
        element: ElementType,
        words: Vec<u32>,
    }

    impl From<Numbers> for Words {
        fn from(numbers: Numbers) -> Words {
            Words { element: numbers.element(), words: numbers.words().to_vec() }
        }
    }

    impl TryFrom<Words> for Numbers {
        type Error = String;

        fn try_from(Words { element, words }: Words) -> Result<Numbers, String> {
            if !words.len().is_multiple_of(element.words() as usize) {
                return Err(format!("{} words do not make a whole number of {element}", words.len()));
            }
            Ok(Numbers::of_bytes(element, bytemuck::cast_slice(&words)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_shown_in_every_element() {
        let text = "3, 1\n7;0 ,255";
        for element in ElementType::ALL {
            let numbers = Numbers::parse(element, text).unwrap();
            assert_eq!(numbers.len(), 5);
            let decimals: Vec<String> = (0..6).map(|i| numbers.decimal(i)).collect();
            assert_eq!(decimals, ["3", "1", "7", "0", "255", ""]);
            assert_eq!((numbers.to_f64(2), numbers.to_f64(5)), (Some(7.0), None));
        }
        assert_eq!(Numbers::parse(ElementType::I64, "-2").unwrap().hex(0), "fffffffffffffffe");
        assert_eq!(Numbers::of(&[1.5f32]).decimal(0), "1.5");
        assert_eq!(Numbers::of(&[-1i64, 2]), Numbers::I64(vec![-1, 2]));
    }

    #[test]
    fn what_is_no_number_is_named() {
        let wrong = |element, text: &str| Numbers::parse(element, text).unwrap_err().to_string();
        assert_eq!(wrong(ElementType::U32, "3 x"), "'x' (number 1, counted from 0) is not a valid u32");
        assert_eq!(wrong(ElementType::U32, "3 -1"), "'-1' (number 1, counted from 0) does not fit u32");
        assert_eq!(wrong(ElementType::F32, "1e400"), "'1e400' (number 0, counted from 0) does not fit f32");
        let inexact = wrong(ElementType::F32, "16777217 3");
        assert!(
            inexact.starts_with("'16777217' (number 0, counted from 0) is not exact in f32"),
            "{inexact}"
        );
        // Beside decimals, integers are rounded as these are.
        assert!(Numbers::parse(ElementType::F32, "16777217 0.5").is_ok());
        assert!(Numbers::of(&[1u32]).get::<i32>().is_err());
    }

    #[test]
    fn what_fits_is_converted_exactly() {
        let convert = |numbers: &Numbers, to| numbers.clone().convert(to).unwrap();
        let numbers = Numbers::from(vec![0u32, 7, 1 << 24]);
        assert_eq!(convert(&numbers, ElementType::I64), Numbers::I64(vec![0, 7, 1 << 24]));
        assert_eq!(convert(&numbers, ElementType::F32), Numbers::F32(vec![0.0, 7.0, 16777216.0]));
        let floats = Numbers::from(vec![-3.0f32, 5.0]);
        assert_eq!(convert(&floats, ElementType::I32), Numbers::I32(vec![-3, 5]));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let fault = |error: Error| match error {
            Error::DoesNotFit(fault) => fault,
            other => panic!("{other}"),
        };
        let lost = |numbers: Numbers, to| fault(numbers.convert(to).unwrap_err()).index;
        assert_eq!(lost(Numbers::from(vec![1i32, -1]), ElementType::U32), 1);
        assert_eq!(lost(Numbers::from(vec![(1u32 << 24) + 1]), ElementType::F32), 0);
        assert_eq!(lost(Numbers::from(vec![u64::MAX]), ElementType::F32), 0);
        assert_eq!(lost(Numbers::from(vec![u64::MAX]), ElementType::I64), 0);
        assert_eq!(lost(Numbers::from(vec![1.0f32, 1.5]), ElementType::I32), 1);
        assert_eq!(lost(Numbers::from(vec![f32::NAN]), ElementType::U32), 0);
        assert_eq!(lost(Numbers::from(vec![f32::INFINITY]), ElementType::U64), 0);
        assert_eq!(fault(Numbers::narrow(&[1e300]).unwrap_err()).value, 1e300.to_string());
        assert_eq!(Numbers::narrow(&[0.1]).unwrap(), Numbers::F32(vec![0.1]));
    }

    #[test]
    fn bytes_are_those_of_all_numbers_in_order() {
        let values: Vec<i64> = (-5000..5000).map(|value| value << 33).collect();
        let mut bytes = Vec::new();
        Numbers::from(values.clone()).write_le_bytes(&mut bytes).unwrap();
        let (read, rest) = bytes.as_chunks::<8>();
        assert!(rest.is_empty() && read.iter().map(|bytes| i64::from_le_bytes(*bytes)).eq(values));
    }
}
