//! The spec of a compaction: what is kept, and which parts of it are moved.

use std::fmt;

use super::Condition;
use crate::element::{Element, ElementType};
use crate::limits::SpecError;
use crate::named::named;

/// The rule that decides which elements are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Keep {
    /// The elements for which a comparison holds, evaluated on the GPU.
    Condition(Condition),
    /// A second stream of u32: an element is kept if its mask is not zero.
    Mask,
}

/// The results of a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Moves {
    /// The kept elements.
    Values,
    /// Their indices in the input, as u32.
    Indices,
    /// Both, in separate streams.
    Both,
}

named!(Moves { Values: "values", Indices: "indices", Both: "both" });

impl Moves {
    /// Returns true if the elements themselves are a result.
    pub fn values(self) -> bool {
        self != Moves::Indices
    }

    /// Returns true if the indices are a result.
    pub fn indices(self) -> bool {
        self != Moves::Values
    }
}

/// The specification of a compaction: kept elements move to the front, in their order.
///
/// Each result is a stream as long as the input. The kept elements are at its beginning; the rest is undefined. The
/// number of kept elements is in a stream of its own, of one u32.
///
/// ```
/// use rasterscan::{Comparison, CompactSpec, Condition, Moves};
/// let bright = Condition::new(Comparison::AtLeast, 200u32);
/// let spec = CompactSpec::new::<u32>(872_000).keep(bright).moves(Moves::Both);
/// assert_eq!(spec.to_string(), "compaction of 872000 u32, keeping >=200, values and indices");
/// assert!(spec.check().is_ok());
/// assert!(CompactSpec::new::<f32>(8).keep(bright).check().is_err());
/// ```
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct CompactSpec {
    /// Elements in the stream.
    pub len: u64,
    /// The type of the stream's numbers.
    pub element: ElementType,
    /// The rule that decides which elements are kept.
    pub keep: Keep,
    /// The results: values, indices, or both.
    pub moves: Moves,
    /// The width of the result's textures, in texels, so that one plan's result can be another's input. `None` leaves
    /// it to the algorithm. `geometry`, whose result is in a buffer, refuses a width; `blocks` refuses one smaller than
    /// a block.
    pub columns: Option<u32>,
    /// True if only the first elements are compacted, as many as a stream of one u32 says, at most `len`.
    #[cfg_attr(
        feature = "recordings",
        serde(default, skip_serializing_if = "std::ops::Not::not", rename = "counted")
    )]
    pub has_gpu_length: bool,
}

impl CompactSpec {
    /// A compaction of `len` elements of type `T`: the values that are not zero.
    pub fn new<T: Element>(len: usize) -> Self {
        Self::of(T::TYPE, len as u64)
    }

    /// The same for an element type known only at run time.
    pub fn of(element: ElementType, len: u64) -> Self {
        let keep = Keep::Condition(Condition::nonzero(element));
        CompactSpec { len, element, keep, moves: Moves::Values, columns: None, has_gpu_length: false }
    }

    /// The same compaction of another length.
    pub fn with_len(&self, len: u64) -> Self {
        CompactSpec { len, ..*self }
    }

    /// Keeps the elements for which a condition holds.
    pub fn keep(&self, condition: Condition) -> Self {
        CompactSpec { keep: Keep::Condition(condition), ..*self }
    }

    /// Keeps the elements that a second stream, the mask, marks.
    pub fn masked(&self) -> Self {
        CompactSpec { keep: Keep::Mask, ..*self }
    }

    /// Sets the results: values, indices, or both.
    pub fn moves(&self, moves: Moves) -> Self {
        CompactSpec { moves, ..*self }
    }

    /// The same compaction of the first elements only, as many as the last stream says: a single u32, such as the count
    /// that another compaction has left.
    pub fn with_gpu_length(&self) -> Self {
        CompactSpec { has_gpu_length: true, ..*self }
    }

    /// Asks for results of this width: see [`Self::columns`](CompactSpec#structfield.columns).
    pub fn columns(&self, columns: u32) -> Self {
        CompactSpec { columns: Some(columns), ..*self }
    }

    /// Checks that the spec makes sense, on any device.
    pub fn check(&self) -> Result<(), SpecError> {
        match self.keep {
            Keep::Condition(condition) if condition.element() != self.element => {
                Err(SpecError::ConditionElement { condition: condition.element(), element: self.element })
            }
            _ if self.columns == Some(0) => Err(SpecError::NoColumns),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for CompactSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "compaction of {} {}, keeping ", self.len, self.element)?;
        match self.keep {
            Keep::Condition(condition) => write!(f, "{condition}")?,
            Keep::Mask => write!(f, "what a mask says")?,
        }
        match self.moves {
            Moves::Values => {}
            Moves::Indices => write!(f, ", indices")?,
            Moves::Both => write!(f, ", values and indices")?,
        }
        if self.has_gpu_length { write!(f, ", length on the GPU") } else { Ok(()) }
    }
}
