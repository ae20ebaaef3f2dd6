//! The spec of a scan: its length, element, operator, kind, order and tuple.

use std::fmt;

use crate::element::{Element, ElementType};
use crate::limits::{MAX_ORDER, MAX_TUPLE, SpecError};
use crate::operator::Operator;

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

/// The specification of a scan.
///
/// An *item* is the operand of the operator: one element, or for [`Operator::AFFINE`] a pair of them. `order` q repeats
/// the scan q times (maleki2016, section 4.4); `tuple` s is s interleaved scans, item `i` continuing item `i - s`
/// (section 4.3).
///
/// ```
/// use rasterscan::{Operator, ScanSpec};
/// let spec = ScanSpec::new::<i64>(1000).operator(Operator::MAX).exclusive();
/// assert_eq!(spec.to_string(), "exclusive max scan of 1000 i64");
/// assert!(spec.check().is_ok());
/// assert!(ScanSpec::new::<f32>(8).operator(Operator::XOR).check().is_err());
/// ```
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
}

impl ScanSpec {
    /// An inclusive sum of `len` items of type `T`, of order 1 and tuple 1.
    pub fn new<T: Element>(len: usize) -> Self {
        Self::of(T::TYPE, len as u64)
    }

    /// The same for an element type known only at run time.
    pub fn of(element: ElementType, len: u64) -> Self {
        ScanSpec { len, element, operator: Operator::ADD, kind: ScanKind::Inclusive, order: 1, tuple: 1 }
    }

    /// The same scan with another operator. This and the next methods return a changed copy.
    pub fn operator(&self, operator: impl Into<Operator>) -> Self {
        ScanSpec { operator: operator.into(), ..*self }
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

    /// Numbers in the stream: items × elements in an item.
    pub fn elements(&self) -> u64 {
        self.len * u64::from(self.operator.arity())
    }

    /// 32-bit words in one item: 1, 2 or 4.
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
        Ok(())
    }
}

impl fmt::Display for ScanSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} scan of {} ", self.kind.name(), self.operator, self.len)?;
        if self.operator.arity() == 2 {
            write!(f, "pairs of ")?;
        }
        write!(f, "{}", self.element)?;
        if self.order > 1 {
            write!(f, ", order {}", self.order)?;
        }
        if self.tuple > 1 {
            write!(f, ", tuples of {}", self.tuple)?;
        }
        Ok(())
    }
}
