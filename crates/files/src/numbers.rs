//! Numbers whose type is known only at run time, and their exact conversion into one another.

use std::io::{self, Write};

use rasterscan::{ElementType, memory};

use crate::ReadError;

/// A stream of numbers as read, or as scanned.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "a variant is its element type")]
pub enum Numbers {
    U32(Vec<u32>),
    I32(Vec<i32>),
    F32(Vec<f32>),
    U64(Vec<u64>),
    I64(Vec<i64>),
}

/// Does the same for whichever vector is inside: `each!(&numbers, values => values.len())`.
#[macro_export]
macro_rules! each {
    ($numbers:expr, $values:ident => $body:expr) => {
        match $numbers {
            $crate::Numbers::U32($values) => $body,
            $crate::Numbers::I32($values) => $body,
            $crate::Numbers::F32($values) => $body,
            $crate::Numbers::U64($values) => $body,
            $crate::Numbers::I64($values) => $body,
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
    /// How many numbers there are.
    pub fn len(&self) -> usize {
        each!(self, values => values.len())
    }

    /// Whether there is none.
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

    /// Writes the bytes of all numbers, little-endian.
    pub fn write_le_bytes(&self, out: &mut dyn Write) -> io::Result<()> {
        each!(self, values => {
            for block in values.chunks(1 << 12) {
                let bytes: Vec<u8> = block.iter().flat_map(|value| value.to_le_bytes()).collect();
                out.write_all(&bytes)?;
            }
            Ok(())
        })
    }

    /// The same values in another type. Integers must be exact in their new type, floats whole where
    /// it is an integer.
    ///
    /// Errors: [`DoesNotFit`], and memory.
    pub fn convert(self, to: ElementType) -> Result<Numbers, ReadError> {
        if self.element() == to {
            return Ok(self);
        }
        each!(self, values => convert_all(&values, to))
    }
}

/// Rounds 64-bit floats, which no stream holds, to f32.
pub fn narrow(values: &[f64]) -> Result<Numbers, ReadError> {
    collect(values, ElementType::F32, |value| value.single())
}

fn convert_all<S: Number>(values: &[S], to: ElementType) -> Result<Numbers, ReadError> {
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
) -> Result<Numbers, ReadError>
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

/// What conversions need of a number.
trait Number: Copy + ToString {
    /// The value where it is a whole number.
    fn whole(self) -> Option<i128>;
    /// The value in f32: integers only where it is exact, floats where it is in range.
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
        // Beyond 2^64 no element holds it.
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

/// A value that the wanted type does not hold.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("value {index} (counted from 0) is {value}, which does not fit {to}")]
pub struct DoesNotFit {
    /// Its index in the stream.
    pub index: usize,
    /// The value as text.
    pub value: String,
    /// The wanted type.
    pub to: ElementType,
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let fault = |error: ReadError| match error {
            ReadError::Convert(fault) => fault,
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
        assert_eq!(fault(narrow(&[1e300]).unwrap_err()).value, 1e300.to_string());
        assert_eq!(narrow(&[0.1]).unwrap(), Numbers::F32(vec![0.1]));
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
