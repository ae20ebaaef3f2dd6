//! The spec of a reduction: its length, element, operator and tuple.

use std::fmt;

use crate::element::{Element, ElementType};
use crate::limits::SpecError;
use crate::operator::Operator;
#[cfg(feature = "recordings")]
use crate::scan::is_default;
use crate::scan::{Batch, ScanSpec, Segments, check_finds_item};

/// The specification of a reduction: all items of a stream combined by an operator, in their order.
///
/// An *item* is the operand of the operator: one element, or for affine a pair of them. The reduction of an empty
/// stream is the operator's identity.
///
/// One stream can hold many reductions, by rows, columns or segments. The result then has an item for each, or one for each
/// member of a tuple: those of a row after those of the row before, those of columns in rows of their own, each as wide as
/// the stream's ([`Self::results`]). An empty column or segment has the operator's identity.
///
/// The streams that a reduction reads are, in this order: the items; [`Segments`]; the number of items that count.
///
/// ```
/// use rasterscan::{Operator, ReduceSpec};
/// let spec = ReduceSpec::new::<u32>(300).operator(Operator::MAX).tuple(3);
/// assert_eq!(spec.to_string(), "max reduction of 300 u32, tuples of 3");
/// assert_eq!(spec.results(), 3);
/// assert_eq!(ReduceSpec::new::<u32>(300).rows(20).results(), 15);
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
    /// One reduction, or one for each row or column.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "is_default"))]
    pub batch: Batch,
    /// The segments that are reduced on their own.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "is_default"))]
    pub segments: Segments,
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
            batch: Batch::Whole,
            segments: Segments::None,
            has_gpu_length: false,
            has_index: false,
        }
    }

    /// The same reduction of another length, in items.
    pub fn with_len(&self, len: u64) -> Self {
        ReduceSpec { len, ..self.clone() }
    }

    /// The same reduction with another operator.
    pub fn operator(&self, operator: impl Into<Operator>) -> Self {
        ReduceSpec { operator: operator.into(), ..self.clone() }
    }

    /// The same reduction of this many interleaved streams.
    pub fn tuple(&self, tuple: u32) -> Self {
        ReduceSpec { tuple, ..self.clone() }
    }

    /// A reduction of each row of `width` items; `width` divides the length.
    pub fn rows(&self, width: u64) -> Self {
        ReduceSpec { batch: Batch::Rows(width), ..self.clone() }
    }

    /// A reduction of each column of rows of `width` items; `width` divides the length.
    pub fn columns(&self, width: u64) -> Self {
        ReduceSpec { batch: Batch::Columns(width), ..self.clone() }
    }

    /// A reduction of each segment, as [`ScanSpec::segmented`] describes them. Their number is known on the GPU only: the
    /// results are as long as the stream, the values of the segments at their beginning, and the count of segments is a
    /// second result.
    pub fn segmented(&self) -> Self {
        ReduceSpec { segments: Segments::Flags, ..self.clone() }
    }

    /// A reduction of each segment, as [`ScanSpec::segmented_by_offsets`] describes them: one result for each offset, of
    /// the items from it up to the next one, or to the end. Those before the first offset are in none.
    pub fn segmented_by_offsets(&self, offsets: u64) -> Self {
        ReduceSpec { segments: Segments::Offsets(offsets), ..self.clone() }
    }

    /// A reduction of each run of equal keys, as [`ScanSpec::by_key`] describes them. The results are as those of
    /// [`Self::segmented`], and between values and count there is a further one: the key of each run.
    pub fn by_key<K: Element>(&self) -> Self {
        ReduceSpec { segments: Segments::Keys(K::TYPE), ..self.clone() }
    }

    /// The same reduction of the first items only, as many as the last stream says: a single u32. Tuples must be of one
    /// item.
    pub fn with_gpu_length(&self) -> Self {
        ReduceSpec { has_gpu_length: true, ..self.clone() }
    }

    /// The index of the first smallest item, and its value: the outputs `indices`, of u32, and `values`. An index counts
    /// all items of the stream, with tuples, too. As in numpy, NaN comes before all numbers: the first one is found.
    /// Without items the index is `u32::MAX`, and the value the operator's identity.
    ///
    /// Any algorithm serves it. A pass reads the stream and makes pairs of values and indices, an eighth as many or fewer, which
    /// the algorithm reduces; of rows, columns and segments, as many as there are items. Two passes over what is left make the
    /// outputs. With a length on the GPU that pass still reads as
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

    /// Items of the result: one for each member of the tuples, in each row, column or segment; of segments by flags, as many
    /// as there may be.
    pub fn results(&self) -> u64 {
        match (self.batch, self.segments) {
            (Batch::Rows(width), _) => self.len / width.max(1) * u64::from(self.tuple),
            (Batch::Columns(width), _) => width * u64::from(self.tuple),
            (_, Segments::Offsets(count)) => count,
            (_, Segments::Flags | Segments::Keys(_)) => self.len,
            (_, Segments::None) => self.tuple.into(),
        }
    }

    /// Returns true if the stream is one reduction, or one for each member of its tuples.
    pub fn is_whole(&self) -> bool {
        self.batch == Batch::Whole && self.segments == Segments::None
    }

    /// The reduction of the whole stream.
    pub(super) fn whole(&self) -> Self {
        ReduceSpec { batch: Batch::Whole, segments: Segments::None, ..self.clone() }
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
        if self.has_gpu_length && !self.is_whole() {
            return Err(SpecError::CountedParts);
        }
        if self.has_index {
            check_finds_item(&self.operator)?;
        }
        self.scan().check()
    }

    /// The scan whose last tuples are the results.
    pub(super) fn scan(&self) -> ScanSpec {
        let whole = ScanSpec::of(self.element, self.len).operator(&self.operator).tuple(self.tuple);
        ScanSpec { batch: self.batch, segments: self.segments, ..whole }
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
        write!(f, "{}{}", self.batch, self.segments)?;
        if self.has_gpu_length {
            write!(f, ", length on the GPU")?;
        }
        Ok(())
    }
}
