//! The associative operators of a scan, their identities, and what they need of an element.

mod interval;

use std::fmt;

pub use interval::Interval;

use crate::element::{BitOperator, Element, ElementType};

/// An associative operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Operator {
    Add,
    Mul,
    Min,
    Max,
    And,
    Or,
    Xor,
    /// Composition of the maps x → a·x + b, each stored as a pair (a, b). It does not commute:
    /// the earlier map is applied first.
    Affine,
    /// An item is an [`Interval`] of the stream, both ends in one element; neighbours are joined. For
    /// [proofs](crate::proof), and not among [`Operator::ALL`].
    Interval,
    /// The same with an element for each end.
    IntervalPair,
}

impl Operator {
    /// The operators on numbers.
    pub const ALL: [Operator; 8] = [
        Operator::Add,
        Operator::Mul,
        Operator::Min,
        Operator::Max,
        Operator::And,
        Operator::Or,
        Operator::Xor,
        Operator::Affine,
    ];

    /// The operators of [proofs](crate::proof). With one or the other, items have 1, 2 or 4 words.
    pub const PROVING: [Operator; 2] = [Operator::Interval, Operator::IntervalPair];

    /// The name used on the command line, in file names of shaders and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Add => "add",
            Operator::Mul => "mul",
            Operator::Min => "min",
            Operator::Max => "max",
            Operator::And => "and",
            Operator::Or => "or",
            Operator::Xor => "xor",
            Operator::Affine => "affine",
            Operator::Interval => "interval",
            Operator::IntervalPair => "interval_pair",
        }
    }

    pub fn commutes(self) -> bool {
        !matches!(self, Operator::Affine | Operator::Interval | Operator::IntervalPair)
    }

    /// Elements in one item, the thing that the operator combines: 2 for affine and for pairs, else 1.
    pub fn arity(self) -> u32 {
        if matches!(self, Operator::Affine | Operator::IntervalPair) { 2 } else { 1 }
    }

    /// Whether a float that it gives is rounded, and so depends on the order of evaluation.
    pub fn rounds(self) -> bool {
        matches!(self, Operator::Add | Operator::Mul | Operator::Affine)
    }

    /// Whether the operator is defined on this element: bit operators need integers.
    pub fn accepts(self, element: ElementType) -> bool {
        !(element.is_float() && matches!(self, Operator::And | Operator::Or | Operator::Xor))
    }

    /// 32-bit words in one item: 1, 2 or 4.
    pub fn item_words(self, element: ElementType) -> u32 {
        self.arity() * element.words()
    }

    /// The identity, as an item. The operator must accept the element.
    pub fn identity<T: Element>(self) -> [T; 2] {
        let first = match self {
            Operator::Add | Operator::Or | Operator::Xor => T::ZERO,
            Operator::Mul | Operator::Affine => T::ONE,
            Operator::Min => T::HIGHEST,
            Operator::Max => T::LOWEST,
            Operator::And => T::all_bits().unwrap_or(T::ZERO),
            Operator::Interval | Operator::IntervalPair => return Interval::Empty.item(self.arity()),
        };
        [first, T::ZERO]
    }

    /// `left` combined with `right`, where `left` is the earlier item. Only items of two elements use the second
    /// one. The operator must accept the element type.
    pub fn combine<T: Element>(self, left: [T; 2], right: [T; 2]) -> [T; 2] {
        let (l, r) = (left[0], right[0]);
        let bits = |operator| l.bits(r, operator).unwrap_or(T::ZERO);
        let first = match self {
            Operator::Add => l.plus(r),
            Operator::Mul => l.times(r),
            Operator::Min => {
                if r < l {
                    r
                } else {
                    l
                }
            }
            Operator::Max => {
                if r > l {
                    r
                } else {
                    l
                }
            }
            Operator::And => bits(BitOperator::And),
            Operator::Or => bits(BitOperator::Or),
            Operator::Xor => bits(BitOperator::Xor),
            Operator::Affine => return [r.times(l), r.times(left[1]).plus(right[1])],
            Operator::Interval | Operator::IntervalPair => {
                let [left, right] = [left, right].map(|item| Interval::of_item(item, self.arity()));
                return left.join(right).item(self.arity());
            }
        };
        [first, T::ZERO]
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
