//! What a caller may ask of a compaction: what is kept, and what of it is moved.

use std::fmt;

use super::Condition;
use crate::element::{Element, ElementType};
use crate::limits::SpecError;

/// What decides which elements are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Keep {
    /// The elements for which a comparison holds, evaluated on the GPU.
    Condition(Condition),
    /// A second stream, of u32: an element is kept where its mask is not zero.
    Mask,
}

/// What a compaction gives of the elements that it keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Moves {
    /// The elements themselves.
    Values,
    /// Where they stood in the input, as u32.
    Indices,
    /// Both, in streams of their own.
    Both,
}

impl Moves {
    /// In words: `values`, `indices`, `both`.
    pub fn name(self) -> &'static str {
        match self {
            Moves::Values => "values",
            Moves::Indices => "indices",
            Moves::Both => "both",
        }
    }

    pub fn values(self) -> bool {
        self != Moves::Indices
    }

    pub fn indices(self) -> bool {
        self != Moves::Values
    }
}

/// A compaction to be done: what is kept moves to the front, in the order in which it stood.
///
/// Each result is a stream as long as the input. What is kept is at its beginning; what lies behind that is
/// undefined. How many are kept is in a stream of its own, of one u32.
///
/// ```
/// use rasterscan::{Comparison, CompactSpec, Condition, Moves};
/// let bright = Condition::new(Comparison::AtLeast, 200u32);
/// let spec = CompactSpec::new::<u32>(872_000).keep(bright).moves(Moves::Both);
/// assert_eq!(spec.to_string(), "compaction of 872000 u32, keeping >=200, values and indices");
/// assert!(spec.check().is_ok());
/// assert!(CompactSpec::new::<f32>(8).keep(bright).check().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct CompactSpec {
    /// Elements in the stream.
    pub len: u64,
    pub element: ElementType,
    pub keep: Keep,
    pub moves: Moves,
    /// Width of the result's textures, in texels, so that one plan's result can be another's input. `None`
    /// leaves it to the algorithm. `geometry`, whose result is in a buffer, refuses a width, and `blocks` one
    /// that is less than a block.
    pub columns: Option<u32>,
}

impl CompactSpec {
    /// Of `len` elements of type `T`, those that are not zero; their values.
    pub fn new<T: Element>(len: usize) -> Self {
        Self::of(T::TYPE, len as u64)
    }

    /// The same for an element type known only at run time.
    pub fn of(element: ElementType, len: u64) -> Self {
        let keep = Keep::Condition(Condition::nonzero(element));
        CompactSpec { len, element, keep, moves: Moves::Values, columns: None }
    }

    /// Keeps the elements for which a condition holds.
    pub fn keep(self, condition: Condition) -> Self {
        CompactSpec { keep: Keep::Condition(condition), ..self }
    }

    /// A second stream says what is kept.
    pub fn masked(self) -> Self {
        CompactSpec { keep: Keep::Mask, ..self }
    }

    /// What it gives of them: values, indices, or both.
    pub fn moves(self, moves: Moves) -> Self {
        CompactSpec { moves, ..self }
    }

    /// Asks for results of this width: see [`Self::columns`](CompactSpec#structfield.columns).
    pub fn columns(self, columns: u32) -> Self {
        CompactSpec { columns: Some(columns), ..self }
    }

    /// Whether the request makes sense at all, on any device.
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
            Moves::Values => Ok(()),
            Moves::Indices => write!(f, ", indices"),
            Moves::Both => write!(f, ", values and indices"),
        }
    }
}
