//! The types of numbers, on the CPU and as words in a texel.

use std::cmp::Ordering;
use std::fmt;

/// The type of one number of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum ElementType {
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 32 bits.
    I32,
    /// IEEE single precision.
    F32,
    /// Unsigned, 64 bits: two words, the lower one first.
    U64,
    /// Signed, 64 bits: two words, the lower one first.
    I64,
}

impl ElementType {
    /// All element types, in the order of the program's help.
    pub const ALL: [ElementType; 5] =
        [ElementType::U32, ElementType::I32, ElementType::F32, ElementType::U64, ElementType::I64];

    /// The name on the command line, in file names of shaders and in reports.
    pub fn name(self) -> &'static str {
        match self {
            ElementType::U32 => "u32",
            ElementType::I32 => "i32",
            ElementType::F32 => "f32",
            ElementType::U64 => "u64",
            ElementType::I64 => "i64",
        }
    }

    /// The type of this [name](Self::name).
    pub fn named(name: &str) -> Option<ElementType> {
        ElementType::ALL.into_iter().find(|element| element.name() == name)
    }

    /// 32-bit words in one element: 1 or 2.
    pub fn words(self) -> u32 {
        match self {
            ElementType::U32 | ElementType::I32 | ElementType::F32 => 1,
            ElementType::U64 | ElementType::I64 => 2,
        }
    }

    /// Returns true if it is `f32`, the one type whose results depend on the order of evaluation.
    pub fn is_float(self) -> bool {
        self == ElementType::F32
    }

    /// The type of a texel's channel. 64-bit integers are two unsigned words, the lower one first.
    pub fn channel(self) -> Channel {
        match self {
            ElementType::U32 | ElementType::U64 | ElementType::I64 => Channel::U32,
            ElementType::I32 => Channel::I32,
            ElementType::F32 => Channel::F32,
        }
    }

    /// The format of a texel of `words` words of this element: 1, 2 or 4.
    pub fn texel(self, words: u32) -> TexelFormat {
        TexelFormat { channel: self.channel(), words }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The type of one channel of a texel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Unsigned integers, also for the words of 64-bit elements.
    U32,
    /// Signed integers.
    I32,
    /// Floats.
    F32,
}

/// A texel: 1, 2 or 4 channels of 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TexelFormat {
    /// The type of all channels.
    pub channel: Channel,
    /// Channels: 1, 2 or 4.
    pub words: u32,
}

impl fmt::Display for TexelFormat {
    /// The OpenGL name: `R32UI`, `RG32UI`, `RGBA32F` ...
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let channels = match self.words {
            1 => "R",
            2 => "RG",
            _ => "RGBA",
        };
        let kind = match self.channel {
            Channel::U32 => "UI",
            Channel::I32 => "I",
            Channel::F32 => "F",
        };
        write!(f, "{channels}32{kind}")
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A Rust number that a stream can hold. Integer arithmetic wraps.
///
/// The methods are the sequential twins of `glsl/common/element/*.glsl`.
pub trait Element:
    bytemuck::Pod + Send + Sync + PartialEq + PartialOrd + fmt::Debug + fmt::Display + sealed::Sealed
{
    /// The type, as a value.
    const TYPE: ElementType;
    /// The identity of `add`.
    const ZERO: Self;
    /// The identity of `mul`.
    const ONE: Self;
    /// The identity of `max`: the lowest value, or minus infinity.
    const LOWEST: Self;
    /// The identity of `min`: the highest value, or infinity.
    const HIGHEST: Self;

    /// The sum.
    fn plus(self, other: Self) -> Self;
    /// The product.
    fn times(self, other: Self) -> Self;
    /// A bitwise operator; `None` for floats.
    fn bits(self, other: Self, operator: BitOperator) -> Option<Self>;
    /// The element with every bit set; `None` for floats.
    fn all_bits() -> Option<Self>;
    /// The nearest f64.
    fn to_f64(self) -> f64;
    /// The element for a f64, as Rust's `as` converts it.
    fn of_f64(number: f64) -> Self;
    /// The order in which sorts put elements: by value, and of floats IEEE 754's total order.
    fn total_order(&self, other: &Self) -> Ordering;
    /// The value of an integer, modulo the range of an integer type.
    fn wrapped(integer: i64) -> Self;
}

/// The bitwise operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BitOperator {
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

macro_rules! integer_element {
    ($rust:ident, $element:ident) => {
        impl sealed::Sealed for $rust {}
        impl Element for $rust {
            const TYPE: ElementType = ElementType::$element;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const LOWEST: Self = <$rust>::MIN;
            const HIGHEST: Self = <$rust>::MAX;

            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            fn bits(self, other: Self, operator: BitOperator) -> Option<Self> {
                Some(match operator {
                    BitOperator::And => self & other,
                    BitOperator::Or => self | other,
                    BitOperator::Xor => self ^ other,
                })
            }
            fn all_bits() -> Option<Self> {
                Some(!0)
            }
            fn to_f64(self) -> f64 {
                self as f64
            }
            fn of_f64(number: f64) -> Self {
                number as $rust
            }
            fn total_order(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }
            fn wrapped(integer: i64) -> Self {
                integer as $rust
            }
        }
    };
}

integer_element!(u32, U32);
integer_element!(i32, I32);
integer_element!(u64, U64);
integer_element!(i64, I64);

impl sealed::Sealed for f32 {}
impl Element for f32 {
    const TYPE: ElementType = ElementType::F32;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const LOWEST: Self = f32::NEG_INFINITY;
    const HIGHEST: Self = f32::INFINITY;

    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn times(self, other: Self) -> Self {
        self * other
    }
    fn bits(self, _: Self, _: BitOperator) -> Option<Self> {
        None
    }
    fn all_bits() -> Option<Self> {
        None
    }
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    fn of_f64(number: f64) -> Self {
        number as f32
    }
    fn total_order(&self, other: &Self) -> Ordering {
        self.total_cmp(other)
    }
    fn wrapped(integer: i64) -> Self {
        integer as f32
    }
}
