//! Numbers of a type that is known only at run time, as the words in which they lie in textures and buffers.

use crate::element::{Element, ElementType};
use crate::error::Error;

/// A stream of numbers of one type.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct Values {
    pub element: ElementType,
    /// One word for each number, or two, the lower first.
    pub words: Vec<u32>,
}

/// Does the same for whichever element it is: the expression is compiled for each, with the name as its type.
///
/// ```
/// use rasterscan::{ElementType, for_element};
///
/// let bytes = |element: ElementType| for_element!(element, T => size_of::<T>());
/// assert_eq!((bytes(ElementType::F32), bytes(ElementType::I64)), (4, 8));
/// ```
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

impl Values {
    pub fn of<T: Element>(numbers: &[T]) -> Values {
        Values { element: T::TYPE, words: bytemuck::cast_slice(numbers).to_vec() }
    }

    /// The numbers whose bytes these are, in this machine's order.
    pub(crate) fn of_bytes(element: ElementType, bytes: &[u8]) -> Values {
        Values { element, words: bytemuck::pod_collect_to_vec(bytes) }
    }

    /// Reads numbers between white space, commas or semicolons.
    ///
    /// Errors: the first word that is no number of this element, and its place.
    pub fn parse(element: ElementType, text: &str) -> Result<Values, NoNumber> {
        let words =
            text.split(|c: char| c.is_whitespace() || ",;".contains(c)).filter(|word| !word.is_empty());
        for_element!(element, T => {
            let number = |(index, word): (usize, &str)| {
                word.parse::<T>().map_err(|_| NoNumber { index, word: word.into(), element })
            };
            Ok(Values::of(&words.enumerate().map(number).collect::<Result<Vec<T>, _>>()?))
        })
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.words.len() / self.element.words() as usize
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The numbers themselves.
    ///
    /// Errors: [`Error::ElementMismatch`].
    pub fn get<T: Element>(&self) -> Result<Vec<T>, Error> {
        if T::TYPE != self.element {
            return Err(Error::ElementMismatch { what: "the stream", got: self.element, expected: T::TYPE });
        }
        Ok(bytemuck::pod_collect_to_vec(&self.words))
    }

    /// A number in the decimal system, as short as is exact; nothing behind the last one.
    pub fn decimal(&self, index: usize) -> String {
        self.number(
            index,
            |words| for_element!(self.element, T => bytemuck::pod_read_unaligned::<T>(words).to_string()),
        )
    }

    /// A number's words in the hexadecimal system, the higher first.
    pub fn hex(&self, index: usize) -> String {
        self.number(index, |bytes| {
            let words: Vec<u32> = bytemuck::pod_collect_to_vec(bytes);
            words.iter().rev().map(|word| format!("{word:08x}")).collect()
        })
    }

    /// A number as the float next to it, for colours; nothing behind the last one.
    pub fn to_f64(&self, index: usize) -> Option<f64> {
        let bytes = self.bytes(index)?;
        Some(for_element!(self.element, T => bytemuck::pod_read_unaligned::<T>(bytes).to_f64()))
    }

    fn number(&self, index: usize, text: impl Fn(&[u8]) -> String) -> String {
        self.bytes(index).map(text).unwrap_or_default()
    }

    fn bytes(&self, index: usize) -> Option<&[u8]> {
        let words = self.element.words() as usize;
        Some(bytemuck::cast_slice(self.words.get(index * words..(index + 1) * words)?))
    }
}

/// A word that is no number of the element that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{word}' (number {index}, counted from 0) is no {element}")]
pub struct NoNumber {
    pub index: usize,
    pub word: String,
    pub element: ElementType,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_shown_in_every_element() {
        let text = "3, 1\n7;0 ,255";
        for element in ElementType::ALL {
            let values = Values::parse(element, text).unwrap();
            assert_eq!(values.len(), 5);
            assert_eq!(
                (0..6).map(|i| values.decimal(i)).collect::<Vec<_>>(),
                ["3", "1", "7", "0", "255", ""]
            );
            assert_eq!((values.to_f64(2), values.to_f64(5)), (Some(7.0), None));
        }
        assert_eq!(Values::parse(ElementType::I64, "-2").unwrap().hex(0), "fffffffffffffffe");
        assert_eq!(Values::of(&[1.5f32]).decimal(0), "1.5");
    }

    #[test]
    fn what_is_no_number_is_named() {
        let wrong = Values::parse(ElementType::U32, "3 -1").unwrap_err();
        assert_eq!(wrong.to_string(), "'-1' (number 1, counted from 0) is no u32");
        assert!(Values::of(&[1u32]).get::<i32>().is_err());
    }
}
