//! The operators that find an item: of a value and its index. Twins of `glsl/common/operator/first.glsl`.

use std::cmp::Ordering;

use super::Operator;
use super::definition::{BuiltIn, Notation};
use crate::element::Element;

/// Added to an index, so that the word is a normal number where it is a float.
const BIAS: u32 = 1 << 23;
/// The word of no index, behind all others.
const NO_INDEX: u32 = 0x7F7F_FFFF;

impl Operator {
    /// The operator on values with their indices; for min and max.
    pub(crate) fn on_pairs(&self) -> Operator {
        if *self == Operator::MIN { Operator::FIRST_MIN } else { Operator::FIRST_MAX }
    }

    /// The name of an operation: that of the operator, or with an index `argmin` or `argmax`.
    pub(crate) fn operation(&self, has_index: bool) -> &str {
        match has_index {
            true if *self == Operator::MIN => "argmin",
            true => "argmax",
            false => self.name(),
        }
    }
}

/// The word that an item holds for an index, less than 2^30.
pub(crate) fn first_word(index: u32) -> u32 {
    index + BIAS
}

/// The index of a word; `None` if it is that of no item.
pub(crate) fn first_index(word: u32) -> Option<u32> {
    (word != NO_INDEX).then(|| word.wrapping_sub(BIAS))
}

/// The item of a value and its index.
pub(crate) fn numbered<T: Element>(value: T, index: u32) -> [T; 2] {
    with_word(value, first_word(index))
}

/// The index of an item; `None` if it is no item's.
pub(crate) fn index_of<T: Element>(item: [T; 2]) -> Option<u32> {
    first_index(word(item))
}

/// The word in the second element of an item.
fn word<T: Element>(item: [T; 2]) -> u32 {
    bytemuck::cast_slice::<T, u32>(&item[1..])[0]
}

fn with_word<T: Element>(value: T, word: u32) -> [T; 2] {
    let mut item = [value, T::ZERO];
    bytemuck::cast_slice_mut::<T, u32>(&mut item[1..])[0] = word;
    item
}

/// The item whose value comes first in `order`, NaN before all others; of equal ones that with the smaller index.
fn first<T: Element>(left: [T; 2], right: [T; 2], order: impl Fn(T, T) -> Option<Ordering>) -> [T; 2] {
    let is_number = |item: [T; 2]| item[0].partial_cmp(&item[0]).is_some();
    let of_values = order(left[0], right[0]).unwrap_or_else(|| is_number(left).cmp(&is_number(right)));
    if of_values.then_with(|| word(left).cmp(&word(right))).is_le() { left } else { right }
}

/// Twin of `first_min`.
#[derive(Debug)]
pub struct FirstMin;

impl BuiltIn for FirstMin {
    const ARITY: u32 = 2;
    const NOTATION: Notation = Notation::Call;

    fn identity<T: Element>() -> [T; 2] {
        with_word(T::HIGHEST, NO_INDEX)
    }

    fn combine<T: Element>(left: [T; 2], right: [T; 2]) -> [T; 2] {
        first(left, right, |left, right| left.partial_cmp(&right))
    }
}

/// Twin of `first_max`.
#[derive(Debug)]
pub struct FirstMax;

impl BuiltIn for FirstMax {
    const ARITY: u32 = 2;
    const NOTATION: Notation = Notation::Call;

    fn identity<T: Element>() -> [T; 2] {
        with_word(T::LOWEST, NO_INDEX)
    }

    fn combine<T: Element>(left: [T; 2], right: [T; 2]) -> [T; 2] {
        first(left, right, |left, right| right.partial_cmp(&left))
    }
}
