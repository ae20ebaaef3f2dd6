//! The steps of rows and columns: each item combines up to STEP neighbours. `glsl/reduce/batches/`.

pub mod buffers;
pub mod textures;

use std::ops::DerefMut;

use crate::{Error, Item, Machine, Terms};

/// The items that a pass combines.
#[derive(Clone, Copy)]
struct Step {
    /// Items that become one.
    step: i32,
    /// Items in a row or column, and in the target.
    len: i32,
    next: i32,
    /// Rows or columns side by side.
    inner: i32,
}

impl Step {
    fn new(terms: &Terms<'_>) -> Result<Step, Error> {
        let [len, next, inner] = ["u_len", "u_next", "u_inner"].map(|name| terms.int(name));
        Ok(Step { step: terms.define("STEP")?, len: len?, next: next?, inner: inner? })
    }

    /// The indices of the items that become item `place` of the target.
    fn of(self, place: i32) -> impl Iterator<Item = i32> {
        let Step { step, len, next, inner } = self;
        let (block, offset) = (place / inner, place % inner);
        let (row, begin) = (block / next, block % next * step);
        (begin..(begin + step).min(len)).map(move |i| (row * len + i) * inner + offset)
    }

    /// The sum of these items; of none the identity.
    fn sum<M: DerefMut<Target = Machine>>(
        self,
        at: &mut M,
        place: i32,
        mut item_at: impl FnMut(&mut M, i32) -> Item,
    ) -> Item {
        let mut items = self.of(place);
        let Some(first) = items.next() else { return at.identity() };
        let first = item_at(at, first);
        items.fold(first, |sum, index| {
            let item = item_at(at, index);
            at.combine(&sum, &item)
        })
    }
}
