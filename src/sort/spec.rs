//! The spec of a sort: its keys, its order, the bits that count, and what comes out.

use std::fmt;
use std::ops::Range;

use crate::compact::Moves;
use crate::element::{Element, ElementType};
use crate::limits::SpecError;

/// The specification of a sort of keys, stable: equal keys stay in their order.
///
/// Integers go by value. Floats go by IEEE 754's total order, as `f32::total_cmp` has it: negative NaN, -infinity, negative
/// numbers, -0.0, 0.0, positive numbers, infinity, NaN.
///
/// ```
/// use rasterscan::{Moves, SortSpec};
/// let spec = SortSpec::new::<f32>(1000).descending().moves(Moves::Both);
/// assert_eq!(spec.to_string(), "sort of 1000 f32, descending, values and indices");
/// ```
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct SortSpec {
    /// Keys in the stream.
    pub len: u64,
    /// Their type.
    pub element: ElementType,
    /// The results: the keys, the index that each had, or both.
    pub moves: Moves,
    /// True if the highest key comes first.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub descending: bool,
    /// True if a second stream, of u32, is moved as the keys are.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub has_payload: bool,
    /// The lowest bit of a key that counts, and the one past the highest; of the bits of [`Self::rank`].
    pub bits: [u32; 2],
}

impl SortSpec {
    /// A sort of `len` keys of type `T`, ascending: the keys come out.
    pub fn new<T: Element>(len: usize) -> Self {
        Self::of(T::TYPE, len as u64)
    }

    /// The same for an element type known only at run time.
    pub fn of(element: ElementType, len: u64) -> Self {
        SortSpec {
            len,
            element,
            moves: Moves::Values,
            descending: false,
            has_payload: false,
            bits: [0, 32 * element.words()],
        }
    }

    /// The same sort of another length.
    pub fn with_len(&self, len: u64) -> Self {
        SortSpec { len, ..*self }
    }

    /// Sets the results: the sorted keys, their indices before, or both.
    pub fn moves(&self, moves: Moves) -> Self {
        SortSpec { moves, ..*self }
    }

    /// The highest key first.
    pub fn descending(&self) -> Self {
        SortSpec { descending: true, ..*self }
    }

    /// Moves a second stream, of u32, as the keys are.
    pub fn with_payload(&self) -> Self {
        SortSpec { has_payload: true, ..*self }
    }

    /// Compares these bits of the keys only, from the lowest, 0, on. Signed integers and floats are compared by the unsigned
    /// numbers that lie in the same order.
    pub fn bits(&self, bits: Range<u32>) -> Self {
        SortSpec { bits: [bits.start, bits.end], ..*self }
    }

    /// Checks that the spec makes sense, on any device.
    pub fn check(&self) -> Result<(), SpecError> {
        let [low, high] = self.bits;
        match low < high && high <= 32 * self.element.words() {
            true => Ok(()),
            false => Err(SpecError::Bits { low, high, all: 32 * self.element.words() }),
        }
    }

    /// The unsigned number in whose order the keys come out: of the bits that count alone.
    pub fn rank<T: Element>(&self, key: T) -> u64 {
        let bytes = bytemuck::bytes_of(&key);
        let bits = bytes.iter().rev().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
        let ordered = match self.element {
            ElementType::U32 | ElementType::U64 => bits,
            ElementType::I32 => bits ^ 1 << 31,
            ElementType::I64 => bits ^ 1 << 63,
            ElementType::F32 if bits >> 31 == 0 => bits ^ 1 << 31,
            ElementType::F32 => bits ^ 0xFFFF_FFFF,
        };
        let [low, high] = self.bits;
        let wanted = ordered << (64 - high) >> (64 - high) >> low;
        if self.descending { !wanted } else { wanted }
    }
}

impl fmt::Display for SortSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sort of {} {}", self.len, self.element)?;
        if self.descending {
            write!(f, ", descending")?;
        }
        let [low, high] = self.bits;
        if high - low < 32 * self.element.words() {
            write!(f, ", by bits {low}..{high}")?;
        }
        match self.moves {
            Moves::Values => {}
            Moves::Indices => write!(f, ", indices")?,
            Moves::Both => write!(f, ", values and indices")?,
        }
        if self.has_payload { write!(f, ", with a payload") } else { Ok(()) }
    }
}
