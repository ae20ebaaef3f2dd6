//! The spec of a sort: its keys, its order, the bits that count, and what comes out.

use std::fmt;
use std::ops::Range;

use crate::compact::Moves;
use crate::element::{Element, ElementType};
use crate::limits::{MAX_PAYLOADS, SpecError};
#[cfg(feature = "recordings")]
use crate::scan::is_default;
use crate::scan::{ScanSpec, Segments};

/// The specification of a sort of keys, stable: equal keys stay in their order.
///
/// Integers go by value. Floats go by IEEE 754's total order, as `f32::total_cmp` has it: negative NaN, -infinity, negative
/// numbers, -0.0, 0.0, positive numbers, infinity, NaN.
///
/// The streams that a sort reads are, in this order: the keys; [`Segments`]; the payloads; the number of keys that count. The
/// streams that come out: the keys, their indices, the payloads.
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
    /// The results: the keys, the index that each had, or both. Indices count all keys of the stream, in rows and segments, too.
    pub moves: Moves,
    /// True if the highest key comes first.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub descending: bool,
    /// Further streams, of u32, that are moved as the keys are; at most [`crate::limits::MAX_PAYLOADS`].
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "is_default"))]
    pub payloads: u32,
    /// The lowest bit of a key that counts, and the one past the highest; of the bits of [`Self::rank`].
    pub bits: [u32; 2],
    /// Keys in a row, if each row is sorted on its own; divides `len`.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "is_default"))]
    pub row: Option<u64>,
    /// The segments that are sorted on their own.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "is_default"))]
    pub segments: Segments,
    /// True if only the first keys are sorted, as many as a stream of one u32 says, at most `len`. The rest is undefined.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub has_gpu_length: bool,
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
            payloads: 0,
            bits: [0, 32 * element.words()],
            row: None,
            segments: Segments::None,
            has_gpu_length: false,
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

    /// Moves so many further streams, of u32, as the keys are.
    pub fn payloads(&self, payloads: u32) -> Self {
        SortSpec { payloads, ..*self }
    }

    /// Compares these bits of the keys only, from the lowest, 0, on. Signed integers and floats are compared by the unsigned
    /// numbers that lie in the same order.
    pub fn bits(&self, bits: Range<u32>) -> Self {
        SortSpec { bits: [bits.start, bits.end], ..*self }
    }

    /// Sorts each row of `width` keys on its own; `width` divides the length.
    pub fn rows(&self, width: u64) -> Self {
        SortSpec { row: Some(width), ..*self }
    }

    /// Sorts each segment on its own, as [`ScanSpec::segmented`] describes them.
    pub fn segmented(&self) -> Self {
        SortSpec { segments: Segments::Flags, ..*self }
    }

    /// Sorts each segment on its own, as [`ScanSpec::segmented_by_offsets`] describes them.
    pub fn segmented_by_offsets(&self, offsets: u64) -> Self {
        SortSpec { segments: Segments::Offsets(offsets), ..*self }
    }

    /// Sorts each run of equal numbers in a second stream of `K` on its own, as [`ScanSpec::by_key`] describes them.
    pub fn segmented_by_key<K: Element>(&self) -> Self {
        SortSpec { segments: Segments::Keys(K::TYPE), ..*self }
    }

    /// Sorts the first keys only, as many as the last stream says: a single u32.
    pub fn with_gpu_length(&self) -> Self {
        SortSpec { has_gpu_length: true, ..*self }
    }

    /// Returns true if all bits of the keys count.
    pub(crate) fn is_by_all_bits(&self) -> bool {
        self.bits == [0, 32 * self.element.words()]
    }

    /// Returns true if whole keys are sorted, in either order, and nothing moves with them.
    pub fn is_of_whole_keys(&self) -> bool {
        *self == SortSpec { descending: self.descending, ..Self::of(self.element, self.len) }
    }

    /// Returns true if an algorithm sorts this itself: u32, ascending, the whole stream, with payloads but without indices.
    /// Passes around it make all other sorts of this one.
    pub fn is_plain(&self) -> bool {
        *self == SortSpec { payloads: self.payloads, bits: self.bits, ..Self::of(ElementType::U32, self.len) }
    }

    /// Checks that the spec makes sense, on any device.
    pub fn check(&self) -> Result<(), SpecError> {
        let [low, high] = self.bits;
        let all = 32 * self.element.words();
        if low >= high || high > all {
            return Err(SpecError::Bits { low, high, all });
        }
        if self.payloads > MAX_PAYLOADS {
            return Err(SpecError::Payloads(self.payloads));
        }
        if self.has_gpu_length && (self.row.is_some() || self.segments != Segments::None) {
            return Err(SpecError::CountedParts);
        }
        self.scan().check()
    }

    /// A scan of the same length, rows and segments.
    pub(super) fn scan(&self) -> ScanSpec {
        let whole = ScanSpec { segments: self.segments, ..ScanSpec::of(ElementType::U32, self.len) };
        self.row.map_or(whole.clone(), |width| whole.rows(width))
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
        if !self.is_by_all_bits() {
            match [self.bits[0], self.bits[1].saturating_sub(1)] {
                [low, high] if low >= high => write!(f, ", by bit {low}")?,
                [low, high] => write!(f, ", by bits {low} to {high}")?,
            }
        }
        write!(f, "{}{}", self.scan().batch, self.segments)?;
        match self.moves {
            Moves::Values => {}
            Moves::Indices => write!(f, ", indices")?,
            Moves::Both => write!(f, ", values and indices")?,
        }
        match self.payloads {
            0 => {}
            1 => write!(f, ", with a payload")?,
            payloads => write!(f, ", with {payloads} payloads")?,
        }
        if self.has_gpu_length { write!(f, ", length on the GPU") } else { Ok(()) }
    }
}
