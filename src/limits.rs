//! What no request may exceed, and what can be wrong with one.

use crate::element::ElementType;
use crate::operator::Operator;

/// The most items of any stream: 2^30, so that indices and twice an index stay within a 32-bit
/// signed integer in every shader. A device may allow fewer.
pub const MAX_LEN: u64 = 1 << 30;

/// The highest order and the largest tuple of a scan.
pub const MAX_ORDER: u32 = 16;
pub const MAX_TUPLE: u32 = 16;

/// A request that no algorithm could fulfil.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    #[error("the operator {0} works on {domain}, not on {1}", domain = .0.domain())]
    OperatorElement(Operator, ElementType),
    #[error("the operator {operator} takes pairs, and {len} values are no whole number of pairs")]
    NoPairs { operator: Operator, len: u64 },
    #[error("the order is {0}; it must be 1 to {MAX_ORDER}")]
    Order(u32),
    #[error("the tuple size is {0}; it must be 1 to {MAX_TUPLE}")]
    Tuple(u32),
    #[error("tuples of {tuple} do not divide a stream of {len} items")]
    TupleDoesNotDivide { tuple: u32, len: u64 },
    #[error("the condition is on {condition}, the stream holds {element}")]
    ConditionElement { condition: ElementType, element: ElementType },
    #[error("--keep and --mask both say what is kept; expected one of them")]
    TwoKeeps,
    #[error("a texture of no columns holds nothing")]
    NoColumns,
}

/// A text that is no condition, or none on that element.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConditionError {
    #[error("'{0}' is no condition; expected nonzero, or >, >=, <, <=, == or != and a number")]
    Syntax(String),
    #[error("'{condition}' does not fit {element}: '{number}' is no number that {element} can hold")]
    Number { condition: String, number: String, element: ElementType },
}
