//! The spec of a reduction: its length, element, operator and tuple.

use std::fmt;

use crate::element::{Element, ElementType};
use crate::limits::SpecError;
use crate::operator::Operator;
use crate::scan::ScanSpec;

/// The specification of a reduction: all items of a stream combined by an operator, in their order.
///
/// An *item* is the operand of the operator: one element, or for affine a pair of them. The reduction of an empty
/// stream is the operator's identity.
///
/// ```
/// use rasterscan::{Operator, ReduceSpec};
/// let spec = ReduceSpec::new::<u32>(300).operator(Operator::MAX).tuple(3);
/// assert_eq!(spec.to_string(), "max reduction of 300 u32, tuples of 3");
/// assert_eq!(spec.results(), 3);
/// ```
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct ReduceSpec {
    /// Items in the stream.
    pub len: u64,
    /// The type of the stream's numbers.
    pub element: ElementType,
    /// The operator that combines the items.
    pub operator: Operator,
    /// The number of interleaved streams, each reduced on its own, 1 to [`crate::limits::MAX_TUPLE`]; divides `len`.
    pub tuple: u32,
    /// True if only the first items are reduced, as many as a stream of one u32 says, at most `len`.
    #[cfg_attr(
        feature = "recordings",
        serde(default, skip_serializing_if = "std::ops::Not::not", rename = "counted")
    )]
    pub has_gpu_length: bool,
    /// True if the result is the index of the first item that has the result's value; the operator is min or max.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub has_index: bool,
}

impl ReduceSpec {
    /// The sum of `len` items of type `T`.
    pub fn new<T: Element>(len: usize) -> Self {
        Self::of(T::TYPE, len as u64)
    }

    /// The same for an element type known only at run time.
    pub fn of(element: ElementType, len: u64) -> Self {
        ReduceSpec {
            len,
            element,
            operator: Operator::ADD,
            tuple: 1,
            has_gpu_length: false,
            has_index: false,
        }
    }

    /// The same reduction of another length, in items.
    pub fn with_len(&self, len: u64) -> Self {
        ReduceSpec { len, operator: self.operator.clone(), ..*self }
    }

    /// The same reduction with another operator.
    pub fn operator(&self, operator: impl Into<Operator>) -> Self {
        ReduceSpec { operator: operator.into(), ..*self }
    }

    /// The same reduction of this many interleaved streams.
    pub fn tuple(&self, tuple: u32) -> Self {
        ReduceSpec { tuple, operator: self.operator.clone(), ..*self }
    }

    /// The same reduction of the first items only, as many as the last stream says: a single u32. Tuples must be of one
    /// item.
    pub fn with_gpu_length(&self) -> Self {
        ReduceSpec { has_gpu_length: true, operator: self.operator.clone(), ..*self }
    }

    /// The index of the first smallest item, and its value: the outputs `indices`, of u32, and `values`. An index counts
    /// all items of the stream, with tuples, too. As in numpy, NaN comes before all numbers: the first one is found.
    /// Without items the index is `u32::MAX`, and the value the operator's identity.
    ///
    /// Any algorithm serves it. A pass reads the stream and makes pairs of values and indices, an eighth as many or fewer, which
    /// the algorithm reduces; two passes over what is left make the outputs. With a length on the GPU that pass still reads as
    /// much as the whole stream has.
    ///
    /// ```
    /// use rasterscan::ReduceSpec;
    /// let spec = ReduceSpec::new::<f32>(1000).argmin();
    /// assert_eq!(spec.to_string(), "argmin reduction of 1000 f32");
    /// ```
    pub fn argmin(&self) -> Self {
        ReduceSpec { has_index: true, operator: Operator::MIN, ..*self }
    }

    /// As [`Self::argmin`], for the first largest item.
    pub fn argmax(&self) -> Self {
        ReduceSpec { has_index: true, operator: Operator::MAX, ..*self }
    }

    /// Numbers in the stream: items × elements in an item.
    pub fn elements(&self) -> u64 {
        self.len * u64::from(self.operator.arity())
    }

    /// Items of the result: one for each member of the tuples.
    pub fn results(&self) -> u64 {
        self.tuple.into()
    }

    /// Tuples in the stream.
    pub(super) fn tuples(&self) -> u64 {
        self.len / u64::from(self.tuple)
    }

    /// Checks that the spec makes sense, on any device.
    pub fn check(&self) -> Result<(), SpecError> {
        if self.has_gpu_length && self.tuple > 1 {
            return Err(SpecError::CountedTuple(self.tuple));
        }
        if self.has_index && ![Operator::MIN, Operator::MAX].contains(&self.operator) {
            return Err(SpecError::Index(self.operator.clone()));
        }
        self.scan().check()
    }

    /// The scan whose last tuple is the result.
    pub(super) fn scan(&self) -> ScanSpec {
        ScanSpec::of(self.element, self.len).operator(&self.operator).tuple(self.tuple)
    }
}

impl fmt::Display for ReduceSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} reduction of {} ", self.operator.operation(self.has_index), self.len)?;
        if self.operator.arity() == 2 {
            write!(f, "pairs of ")?;
        }
        write!(f, "{}", self.element)?;
        if self.tuple > 1 {
            write!(f, ", tuples of {}", self.tuple)?;
        }
        if self.has_gpu_length {
            write!(f, ", length on the GPU")?;
        }
        Ok(())
    }
}
