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
#[derive(Debug, Clone, Copy, PartialEq)]
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
    /// A `uint`.
    Uint(u32),
    /// A `float`; in documents its bits, which may be those of an infinity.
    #[cfg_attr(feature = "recordings", serde(rename = "float_bits", with = "bits"))]
    Float(f32),
}

impl Uniform {
    /// The type in GLSL.
    pub fn glsl_type(self) -> &'static str {
        match self {
            Uniform::Int(_) => "int",
            Uniform::Int2(_) => "ivec2",
            Uniform::Uint(_) => "uint",
            Uniform::Float(_) => "float",
        }
    }
}

impl From<i32> for Uniform {
    fn from(value: i32) -> Uniform {
        Uniform::Int(value)
    }
}

impl From<u32> for Uniform {
    fn from(value: u32) -> Uniform {
        Uniform::Uint(value)
    }
}

impl From<f32> for Uniform {
    fn from(value: f32) -> Uniform {
        Uniform::Float(value)
    }
}

/// A float in documents.
#[cfg(feature = "recordings")]
mod bits {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
        value.to_bits().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
        u32::deserialize(deserializer).map(f32::from_bits)
    }
}

impl fmt::Display for Uniform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Uniform::Int(x) => write!(f, "{x}"),
            Uniform::Int2([x, y]) => write!(f, "({x}, {y})"),
            Uniform::Uint(x) => write!(f, "{x}"),
            Uniform::Float(x) => write!(f, "{x:?}"),
        }
    }
}
