//! The spec of a scan: its length, element, operator, kind, order and tuple.

use std::fmt;

use crate::element::{Element, ElementType};
use crate::limits::{MAX_ORDER, MAX_TUPLE, SpecError};
use crate::operator::Operator;
use crate::scan::Recurrence;

/// Inclusive: result `i` combines items `0..=i`. Exclusive: it combines `0..i`, and the first is the identity. At any
/// order, exclusive is inclusive shifted one item (one tuple) to the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum ScanKind {
    /// Result `i` includes item `i`.
    Inclusive,
    /// Result `i` excludes item `i`.
    Exclusive,
}

impl ScanKind {
    /// The name in documents and listings.
    pub fn name(self) -> &'static str {
        match self {
            ScanKind::Inclusive => "inclusive",
            ScanKind::Exclusive => "exclusive",
        }
    }
}

/// The scans that a stream holds: one over all of it, or one for each row or column of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Batch {
    /// One scan.
    #[default]
    Whole,
    /// A scan for each row of this many items.
    Rows(u64),
    /// A scan for each column of rows of this many items.
    Columns(u64),
}

/// The words for it in a spec's text, after a comma; none for [`Batch::Whole`].
impl fmt::Display for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Batch::Whole => Ok(()),
            Batch::Rows(width) => write!(f, ", rows of {width}"),
            Batch::Columns(width) => write!(f, ", columns of rows of {width}"),
        }
    }
}

/// The segments of a stream, each of which is scanned on its own. The first item always begins one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Segments {
    /// None.
    #[default]
    None,
    /// A segment begins at each item whose flag is set. Flags are bits, 32 in a u32, the first one the lowest.
    Flags,
    /// A segment begins at each of this many offsets, which ascend. Equal offsets bound an empty segment, and an offset
    /// at the stream's length begins none.
    Offsets(u64),
    /// A segment begins at each item whose key differs from that of the item before. There is a key of this element for
    /// each item; keys are equal if their bits are.
    Keys(ElementType),
}

/// The words for it in a spec's text, after a comma; none for [`Segments::None`].
impl fmt::Display for Segments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segments::None => Ok(()),
            Segments::Flags => write!(f, ", in segments"),
            Segments::Offsets(count) => write!(f, ", in segments from {count} offsets"),
            Segments::Keys(element) => write!(f, ", in segments of equal {element} keys"),
        }
    }
}

/// The specification of a scan.
///
/// An *item* is the operand of the operator: one element, or for [`Operator::AFFINE`] a pair of them. `order` q repeats
/// the scan q times (maleki2016, section 4.4); `tuple` s is s interleaved scans, item `i` continuing item `i - s`
/// (section 4.3).
///
/// One stream can hold many scans, by rows, columns or segments. A *reversed* scan goes from the last item to the first:
/// it is what comes out if the stream is reversed, scanned, and reversed again. A *seeded* scan begins with a given item,
/// or with a tuple of them, as if it came before the first one of each scan.
///
/// The streams that a scan reads are, in this order: the items; [`Segments`]; the seed; the number of items that count.
///
/// ```
/// use rasterscan::{Operator, ScanSpec};
/// let spec = ScanSpec::new::<i64>(1000).operator(Operator::MAX).exclusive();
/// assert_eq!(spec.to_string(), "exclusive max scan of 1000 i64");
/// assert!(spec.check().is_ok());
/// assert!(ScanSpec::new::<f32>(8).operator(Operator::XOR).check().is_err());
/// ```
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct ScanSpec {
    /// Items in the stream.
    pub len: u64,
    /// The type of the stream's numbers.
    pub element: ElementType,
    /// The operator that combines the items.
    pub operator: Operator,
    /// Inclusive or exclusive.
    pub kind: ScanKind,
    /// The number of repeated scans, 1 to [`MAX_ORDER`].
    pub order: u32,
    /// The number of interleaved scans, 1 to [`MAX_TUPLE`]; divides `len`.
    pub tuple: u32,
    /// The linear recurrence that takes the place of sums; integers, and order 1.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "is_default"))]
    pub recurrence: Option<Recurrence>,
    /// One scan, or one for each row or column.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "is_default"))]
    pub batch: Batch,
    /// The segments that are scanned on their own.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "is_default"))]
    pub segments: Segments,
    /// True if each scan goes from the last item to the first.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "is_default"))]
    pub reversed: bool,
    /// True if each scan begins with a given tuple, of a stream of its own.
    #[cfg_attr(
        feature = "recordings",
        serde(default, skip_serializing_if = "is_default", rename = "seeded")
    )]
    pub has_seed: bool,
    /// True if only the first items count, as many as a stream of one u32 says, at most `len`. The rest of the result is
    /// undefined, and costs next to nothing.
    #[cfg_attr(
        feature = "recordings",
        serde(default, skip_serializing_if = "is_default", rename = "counted")
    )]
    pub has_gpu_length: bool,
    /// True if the total is a second result: what a scan of the items to come begins with.
    #[cfg_attr(
        feature = "recordings",
        serde(default, skip_serializing_if = "is_default", rename = "totalled")
    )]
    pub has_total: bool,
    /// True if each result is the index of the first item that has the result's value; the operator is min or max.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "is_default"))]
    pub has_index: bool,
}

/// Checks that the results of an operator are items of the stream, which have indices.
///
/// Errors: [`SpecError::Index`].
pub(crate) fn check_finds_item(operator: &Operator) -> Result<(), SpecError> {
    match [Operator::MIN, Operator::MAX].contains(operator) {
        true => Ok(()),
        false => Err(SpecError::Index(operator.clone())),
    }
}

#[cfg(feature = "recordings")]
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl ScanSpec {
    /// An inclusive sum of `len` items of type `T`, of order 1 and tuple 1.
    pub fn new<T: Element>(len: usize) -> Self {
        Self::of(T::TYPE, len as u64)
    }

    /// The same for an element type known only at run time.
    pub fn of(element: ElementType, len: u64) -> Self {
        ScanSpec {
            len,
            element,
            operator: Operator::ADD,
            kind: ScanKind::Inclusive,
            order: 1,
            tuple: 1,
            recurrence: None,
            batch: Batch::Whole,
            segments: Segments::None,
            reversed: false,
            has_seed: false,
            has_gpu_length: false,
            has_total: false,
            has_index: false,
        }
    }

    /// The same scan of another length, in items.
    pub fn with_len(&self, len: u64) -> Self {
        ScanSpec { len, ..self.clone() }
    }

    /// The same scan with another operator. This and the next methods return a changed copy.
    pub fn operator(&self, operator: impl Into<Operator>) -> Self {
        ScanSpec { operator: operator.into(), ..self.clone() }
    }

    /// The same scan, exclusive.
    pub fn exclusive(&self) -> Self {
        self.kind(ScanKind::Exclusive)
    }

    /// The same scan, inclusive or exclusive.
    pub fn kind(&self, kind: ScanKind) -> Self {
        ScanSpec { kind, ..self.clone() }
    }

    /// The same scan, repeated this many times.
    pub fn order(&self, order: u32) -> Self {
        ScanSpec { order, ..self.clone() }
    }

    /// The same scan of this many interleaved streams.
    pub fn tuple(&self, tuple: u32) -> Self {
        ScanSpec { tuple, ..self.clone() }
    }

    /// A linear recurrence in place of sums: of integers, and of order 1.
    pub fn recurrence(&self, recurrence: Recurrence) -> Self {
        ScanSpec { recurrence: Some(recurrence), ..self.clone() }
    }

    /// A scan for each row of `width` items; `width` divides the length.
    pub fn rows(&self, width: u64) -> Self {
        ScanSpec { batch: Batch::Rows(width), ..self.clone() }
    }

    /// A scan for each column of rows of `width` items; `width` divides the length.
    pub fn columns(&self, width: u64) -> Self {
        ScanSpec { batch: Batch::Columns(width), ..self.clone() }
    }

    /// A scan for each segment. The second stream has a bit for each item, 32 in a u32: set where a segment begins.
    pub fn segmented(&self) -> Self {
        ScanSpec { segments: Segments::Flags, ..self.clone() }
    }

    /// A scan for each segment. The second stream has `offsets` u32, in ascending order: the index of the first item of
    /// each segment. [`Prepared::upload_input`](crate::Prepared::upload_input) refuses others.
    pub fn segmented_by_offsets(&self, offsets: u64) -> Self {
        ScanSpec { segments: Segments::Offsets(offsets), ..self.clone() }
    }

    /// A scan for each run of equal keys. The second stream has a key of type `K` for each item.
    pub fn by_key<K: Element>(&self) -> Self {
        ScanSpec { segments: Segments::Keys(K::TYPE), ..self.clone() }
    }

    /// The same scan from the last item to the first.
    pub fn reversed(&self) -> Self {
        ScanSpec { reversed: true, ..self.clone() }
    }

    /// The same scan, begun with the tuple in the last stream.
    pub fn with_seed(&self) -> Self {
        ScanSpec { has_seed: true, ..self.clone() }
    }

    /// The same scan of the first items only, as many as the last stream says: a single u32. It must not go from the last
    /// item to the first, or by columns.
    pub fn with_gpu_length(&self) -> Self {
        ScanSpec { has_gpu_length: true, ..self.clone() }
    }

    /// The same scan with its total as a second result: a tuple, each member the sum of all its items, and of the seed.
    /// It is the seed of a scan that goes on ([`Self::with_seed`]). For one scan of order 1, of a whole stream.
    pub fn with_total(&self) -> Self {
        ScanSpec { has_total: true, ..self.clone() }
    }

    /// For each item the index of the first smallest one so far, and its value: the outputs `indices`, of u32, and `values`.
    /// Ties, NaN and indices are as in [`ReduceSpec::argmin`](crate::ReduceSpec::argmin). It excludes higher orders, seeds,
    /// totals and lengths on the GPU. Any algorithm that takes pairs serves it; three more passes read and write each item.
    pub fn argmin(&self) -> Self {
        ScanSpec { has_index: true, operator: Operator::MIN, ..self.clone() }
    }

    /// As [`Self::argmin`], for the first largest item.
    pub fn argmax(&self) -> Self {
        ScanSpec { has_index: true, operator: Operator::MAX, ..self.clone() }
    }

    /// Items in each scan, if they are rows or columns; else in the stream.
    pub fn scan_len(&self) -> u64 {
        match self.batch {
            Batch::Whole => self.len,
            Batch::Rows(width) => width,
            Batch::Columns(width) => self.len / width.max(1),
        }
    }

    /// Returns true if the stream holds several scans, which do not touch each other.
    pub fn is_split(&self) -> bool {
        self.batch != Batch::Whole || self.segments != Segments::None
    }

    /// Returns true if an algorithm needs to know only where scans begin: rows or segments of single items, from the first
    /// item on.
    pub(crate) fn is_split_ahead(&self) -> bool {
        let columns = matches!(self.batch, Batch::Columns(_));
        self.is_split()
            && !columns
            && self.tuple == 1
            && !self.reversed
            && !self.has_seed
            && !self.has_gpu_length
    }

    /// The scan of this operator, element, kind, order and tuple over one whole stream, from its first item.
    pub fn whole(&self) -> Self {
        ScanSpec {
            batch: Batch::Whole,
            segments: Segments::None,
            reversed: false,
            has_seed: false,
            has_gpu_length: false,
            has_total: false,
            has_index: false,
            ..self.clone()
        }
    }

    /// Returns true if this is a scan of one whole stream, from its first item, with nothing given before it.
    pub fn is_whole(&self) -> bool {
        self.recurrence.is_none() && self.is_one_stream()
    }

    /// The same, if what is scanned may be a recurrence.
    pub fn is_one_stream(&self) -> bool {
        let has_more = self.has_seed || self.has_gpu_length || self.has_total || self.has_index;
        !self.is_split() && !self.reversed && !has_more
    }

    /// Numbers in the stream: items × elements in an item.
    pub fn elements(&self) -> u64 {
        self.len * u64::from(self.operator.arity())
    }

    /// 32-bit words in one item.
    pub fn item_words(&self) -> u32 {
        self.operator.item_words(self.element)
    }

    /// 32-bit words in the stream.
    pub fn words(&self) -> u64 {
        self.len * u64::from(self.item_words())
    }

    /// Tuples in the stream.
    pub fn tuples(&self) -> u64 {
        self.len / u64::from(self.tuple)
    }

    /// Checks that the spec makes sense, on any device.
    pub fn check(&self) -> Result<(), SpecError> {
        if !self.operator.accepts(self.element) {
            return Err(SpecError::OperatorElement(self.operator.clone(), self.element));
        }
        if !(1..=MAX_ORDER).contains(&self.order) {
            return Err(SpecError::Order(self.order));
        }
        if !(1..=MAX_TUPLE).contains(&self.tuple) {
            return Err(SpecError::Tuple(self.tuple));
        }
        if !self.len.is_multiple_of(u64::from(self.tuple)) {
            return Err(SpecError::TupleDoesNotDivide { tuple: self.tuple, len: self.len });
        }
        if let Batch::Rows(width) | Batch::Columns(width) = self.batch {
            if width == 0 || !self.len.is_multiple_of(width) {
                return Err(SpecError::RowsDoNotDivide { width, len: self.len });
            }
            if !self.scan_len().is_multiple_of(self.tuple.into()) {
                return Err(SpecError::TupleInRow { tuple: self.tuple, len: self.scan_len() });
            }
        }
        if self.segments != Segments::None {
            let others = [
                (self.batch != Batch::Whole, "rows or columns"),
                (self.order > 1, "an order above 1"),
                (self.tuple > 1, "a tuple above 1"),
            ];
            if let Some((_, other)) = others.into_iter().find(|(given, _)| *given) {
                return Err(SpecError::Segments(other));
            }
        }
        if self.recurrence.is_some() {
            let others = [
                (self.operator != Operator::ADD, "an operator; it adds"),
                (self.element.is_float(), "f32; use integers"),
                (self.order > 1, "an order above 1"),
                (self.is_split(), "rows, columns or segments"),
                (self.has_seed, "a value to begin with"),
                (self.has_total, "a total"),
            ];
            if let Some((_, other)) = others.into_iter().find(|(given, _)| *given) {
                return Err(SpecError::RecurrenceOption(other));
            }
        }
        if self.has_index {
            check_finds_item(&self.operator)?;
            let others = [
                (self.order > 1, "an order above 1"),
                (self.has_seed, "a value to begin with"),
                (self.has_total, "a total"),
                (self.has_gpu_length, "a length on the GPU"),
            ];
            if let Some((_, other)) = others.into_iter().find(|(given, _)| *given) {
                return Err(SpecError::IndexOption(other));
            }
        }
        if self.has_total && (self.is_split() || self.order > 1) {
            return Err(SpecError::Totalled);
        }
        if self.has_gpu_length && (self.reversed || matches!(self.batch, Batch::Columns(_))) {
            return Err(SpecError::Counted);
        }
        if self.has_seed && self.order > 1 {
            return Err(SpecError::SeededOrder(self.order));
        }
        Ok(())
    }
}

impl fmt::Display for ScanSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = self.operator.operation(self.has_index);
        write!(f, "{} {operation} scan of {} ", self.kind.name(), self.len)?;
        match self.operator.arity() {
            1 => {}
            2 => write!(f, "pairs of ")?,
            arity => write!(f, "items of {arity} ")?,
        }
        write!(f, "{}", self.element)?;
        if self.order > 1 {
            write!(f, ", order {}", self.order)?;
        }
        if let Some(recurrence) = &self.recurrence {
            write!(f, ", recurrence {recurrence}")?;
        }
        if self.tuple > 1 {
            write!(f, ", tuples of {}", self.tuple)?;
        }
        write!(f, "{}{}", self.batch, self.segments)?;
        if self.reversed {
            write!(f, ", reversed")?;
        }
        if self.has_seed {
            write!(f, ", seeded")?;
        }
        if self.has_gpu_length {
            write!(f, ", length on the GPU")?;
        }
        if self.has_total {
            write!(f, ", with its total")?;
        }
        Ok(())
    }
}
