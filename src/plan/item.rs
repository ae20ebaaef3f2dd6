//! The items of a pass, and the uniforms of its shaders.

use std::fmt;

use crate::element::ElementType;
use crate::operator::Operator;

/// The element and the operator of a pass's shaders: `#include <element>` and `#include <operator>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ItemType {
    /// The type of the numbers.
    pub element: ElementType,
    /// The operator that combines items.
    pub operator: Operator,
}

/// The value of a uniform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Uniform {
    /// An `int`.
    Int(i32),
    /// An `ivec2`.
    Int2([i32; 2]),
}

impl fmt::Display for Uniform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Uniform::Int(x) => write!(f, "{x}"),
            Uniform::Int2([x, y]) => write!(f, "({x}, {y})"),
        }
    }
}
