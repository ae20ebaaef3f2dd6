//! The built-in operators. Each is a line in the list, a CPU twin below it, and `glsl/common/operator/NAME.glsl`.
//!
//! The GLSL uses `element_add`, `element_mul`, `element_less` and the constants of `glsl/common/element/*.glsl`, where
//! a 64-bit element is a pair of words. An operator has no loops: passes that bound their iterations for llvmpipe (rule
//! 7 of `src/plan/shader.rs`, `Tile::iterations`) count each use as one.

use super::Operator;
use super::definition::{BuiltIn, Definition, Notation, Rounding};
use super::first::{FirstMax, FirstMin};
use super::interval::{Join, JoinPair};
use crate::element::{BitOperator, Element};
use crate::shared::Shared;

/// Code that is compiled for each built-in operator, for loops that a call per item would slow down.
pub trait Visitor {
    /// The result of [`Self::visit`].
    type Output;

    /// Runs the code for operator `O`.
    fn visit<O: BuiltIn>(self) -> Self::Output;
}

/// The list: constants, [`Operator::visit`], and the files.
macro_rules! built_in {
    (
        $numbers:ident { $($(#[$doc:meta])* $constant:ident = $name:literal $twin:ident,)* }
        $proofs:ident { $($(#[$proof_doc:meta])* $proof:ident = $proof_name:literal $proof_twin:ident,)* }
        $firsts:ident { $($(#[$first_doc:meta])* $first:ident = $first_name:literal $first_twin:ident,)* }
    ) => {
        impl Operator {
            $($(#[$doc])* pub const $constant: Operator = built_in!(@operator $name $twin);)*
            $($(#[$proof_doc])* pub const $proof: Operator = built_in!(@operator $proof_name $proof_twin);)*
            $($(#[$first_doc])* pub(crate) const $first: Operator = built_in!(@operator $first_name $first_twin);)*

            /// The operators on numbers.
            pub const $numbers: [Operator; [$($name),*].len()] = [$(Operator::$constant),*];

            /// The names of the operators on numbers.
            pub const NAMES: [&'static str; [$($name),*].len()] = [$($name),*];

            /// The operators of [proofs](crate::tools::proof). With either, items have 1, 2 or 4 words.
            pub const $proofs: [Operator; [$($proof_name),*].len()] = [$(Operator::$proof),*];

            /// The operators on values with their indices, of [`crate::ReduceSpec::argmin`] and its like.
            pub(crate) const $firsts: [Operator; [$($first_name),*].len()] = [$(Operator::$first),*];

            /// Runs the visitor's code for this operator; `None` if it is not built in.
            pub fn visit<V: Visitor>(&self, visitor: V) -> Option<V::Output> {
                match self.name() {
                    $($name => Some(visitor.visit::<$twin>()),)*
                    $($proof_name => Some(visitor.visit::<$proof_twin>()),)*
                    $($first_name => Some(visitor.visit::<$first_twin>()),)*
                    _ => None,
                }
            }
        }

        /// The GLSL files of all built-in operators, by their paths below `glsl/`.
        pub(crate) const FILES: &[(&str, &str)] = &[
            $((built_in!(@path $name), built_in!(@text $name)),)*
            $((built_in!(@path $proof_name), built_in!(@text $proof_name)),)*
            $((built_in!(@path $first_name), built_in!(@text $first_name)),)*
        ];
    };
    (@operator $name:literal $twin:ident) => {{
        static DEFINITION: Definition = Definition::built_in::<$twin>($name, built_in!(@text $name));
        Operator(Shared::Constant(&DEFINITION))
    }};
    (@path $name:literal) => { concat!("common/operator/", $name, ".glsl") };
    (@text $name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/glsl/common/operator/", $name, ".glsl"))
    };
}

built_in! {
    ALL {
        /// The sum; integers wrap.
        ADD = "add" Add,
        /// The product; integers wrap.
        MUL = "mul" Mul,
        /// The smaller value.
        MIN = "min" Min,
        /// The larger value.
        MAX = "max" Max,
        /// Bitwise and, of integers.
        AND = "and" And,
        /// Bitwise or, of integers.
        OR = "or" Or,
        /// Bitwise exclusive or, of integers.
        XOR = "xor" Xor,
        /// Composition of the maps x → a·x + b, each stored as a pair (a, b). It does not commute: the earlier map is
        /// applied first.
        AFFINE = "affine" Affine,
    }
    PROVING {
        /// Joins neighbouring [`Interval`](super::Interval)s of the stream; both ends are in one element.
        INTERVAL = "interval" Join,
        /// Joins neighbouring intervals with one element for each end.
        INTERVAL_PAIR = "interval_pair" JoinPair,
    }
    FIRSTS {
        /// The smaller of two values with its index, or of equal ones the first.
        FIRST_MIN = "first_min" FirstMin,
        /// The larger of two values with its index, or of equal ones the first.
        FIRST_MAX = "first_max" FirstMax,
    }
}

/// Twin of [`Operator::ADD`].
#[derive(Debug)]
pub struct Add;

impl BuiltIn for Add {
    const ROUNDING: Rounding = Rounding::Sum;
    const NOTATION: Notation = Notation::Between("+");

    fn identity<T: Element>() -> [T; 2] {
        [T::ZERO; 2]
    }

    fn combine<T: Element>([left, _]: [T; 2], [right, _]: [T; 2]) -> [T; 2] {
        [left.plus(right), T::ZERO]
    }
}

/// Twin of [`Operator::MUL`].
#[derive(Debug)]
pub struct Mul;

impl BuiltIn for Mul {
    const ROUNDING: Rounding = Rounding::Product;
    const NOTATION: Notation = Notation::Between("×");

    fn identity<T: Element>() -> [T; 2] {
        [T::ONE, T::ZERO]
    }

    fn combine<T: Element>([left, _]: [T; 2], [right, _]: [T; 2]) -> [T; 2] {
        [left.times(right), T::ZERO]
    }
}

/// Twin of [`Operator::MIN`].
#[derive(Debug)]
pub struct Min;

impl BuiltIn for Min {
    const NOTATION: Notation = Notation::Call;

    fn identity<T: Element>() -> [T; 2] {
        [T::HIGHEST, T::ZERO]
    }

    fn combine<T: Element>([left, _]: [T; 2], [right, _]: [T; 2]) -> [T; 2] {
        [if right < left { right } else { left }, T::ZERO]
    }
}

/// Twin of [`Operator::MAX`].
#[derive(Debug)]
pub struct Max;

impl BuiltIn for Max {
    const NOTATION: Notation = Notation::Call;

    fn identity<T: Element>() -> [T; 2] {
        [T::LOWEST, T::ZERO]
    }

    fn combine<T: Element>([left, _]: [T; 2], [right, _]: [T; 2]) -> [T; 2] {
        [if right > left { right } else { left }, T::ZERO]
    }
}

fn bits<T: Element>([left, _]: [T; 2], [right, _]: [T; 2], operator: BitOperator) -> [T; 2] {
    [left.bits(right, operator).unwrap_or(T::ZERO), T::ZERO]
}

/// Twin of [`Operator::AND`].
#[derive(Debug)]
pub struct And;

impl BuiltIn for And {
    const FLOATS: bool = false;
    const NOTATION: Notation = Notation::Between("&");

    fn identity<T: Element>() -> [T; 2] {
        [T::all_bits().unwrap_or(T::ZERO), T::ZERO]
    }

    fn combine<T: Element>(left: [T; 2], right: [T; 2]) -> [T; 2] {
        bits(left, right, BitOperator::And)
    }
}

/// Twin of [`Operator::OR`].
#[derive(Debug)]
pub struct Or;

impl BuiltIn for Or {
    const FLOATS: bool = false;
    const NOTATION: Notation = Notation::Between("|");

    fn identity<T: Element>() -> [T; 2] {
        [T::ZERO; 2]
    }

    fn combine<T: Element>(left: [T; 2], right: [T; 2]) -> [T; 2] {
        bits(left, right, BitOperator::Or)
    }
}

/// Twin of [`Operator::XOR`].
#[derive(Debug)]
pub struct Xor;

impl BuiltIn for Xor {
    const FLOATS: bool = false;
    const NOTATION: Notation = Notation::Between("^");

    fn identity<T: Element>() -> [T; 2] {
        [T::ZERO; 2]
    }

    fn combine<T: Element>(left: [T; 2], right: [T; 2]) -> [T; 2] {
        bits(left, right, BitOperator::Xor)
    }
}

/// Twin of [`Operator::AFFINE`].
#[derive(Debug)]
pub struct Affine;

impl BuiltIn for Affine {
    const ARITY: u32 = 2;
    const COMMUTES: bool = false;
    const ROUNDING: Rounding = Rounding::Affine;
    const NOTATION: Notation = Notation::Between("then");

    fn identity<T: Element>() -> [T; 2] {
        [T::ONE, T::ZERO]
    }

    fn combine<T: Element>(left: [T; 2], right: [T; 2]) -> [T; 2] {
        let [a, b] = right;
        [a.times(left[0]), a.times(left[1]).plus(b)]
    }
}
