//! Values with their indices, of each several that lie apart the first smallest or largest. `glsl/reduce/first/`.

use crate::Item;

pub mod fragments;
pub mod groups;

/// The item of a value: its words, and those of its index plus 2^23.
fn numbered(mut value: Item, words: usize, index: i32) -> Item {
    value.set(words, index as u32 + (1 << 23));
    value
}
