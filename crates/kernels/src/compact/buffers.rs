//! The stream that is compacted, and its results, in buffers. `glsl/compact/common/buffers.glsl`.
//!
//! An invocation takes a row at a time: a vector of elements. The mask, if there is one, has a word for each.

use super::condition::Condition;
use crate::length::BoundLength;
use crate::{Binding, Error, Invocation, Item, Terms};

/// The streams of a pass.
#[derive(Clone, Copy)]
pub struct Buffers {
    source: Binding,
    decides: Decides,
    values: Option<Binding>,
    indices: Option<Binding>,
    /// Elements in a row: `VECTOR`.
    vector: usize,
    element_words: usize,
    /// Elements that are bound.
    len: usize,
    length: BoundLength,
}

#[derive(Clone, Copy)]
enum Decides {
    Mask(Binding),
    Condition(Condition),
}

impl Buffers {
    /// The streams of a pass.
    pub fn new(terms: &Terms<'_>) -> Result<Buffers, Error> {
        let bound = |name: &str, moves: bool| moves.then(|| terms.binding(name)).transpose();
        Ok(Buffers {
            source: terms.binding("SOURCE")?,
            decides: match terms.is_on("MASKED") {
                true => Decides::Mask(terms.binding("MASK")?),
                false => Decides::Condition(Condition::new(terms)?),
            },
            values: bound("VALUES", terms.is_on("MOVES_VALUES"))?,
            indices: bound("INDICES", terms.is_on("MOVES_INDICES"))?,
            vector: terms.define("VECTOR")?.max(1) as usize,
            element_words: terms.operation().element_words,
            len: terms.int("u_len")? as usize,
            length: BoundLength::new(terms)?,
        })
    }

    /// The elements that count of those that are bound.
    pub fn count(&self, at: &Invocation<'_>) -> usize {
        self.length.of(at, self.len as i32) as usize
    }

    /// A row of the stream; zeros beyond its end.
    pub fn row(&self, at: &mut Invocation<'_>, row: usize) -> Item {
        match row * self.vector < self.len {
            true => at.read(self.source, row, self.vector * self.element_words),
            false => Item::of(&[]),
        }
    }

    /// A bit for each element of a row, the first one lowest: 1 if it is kept. Past the stream's end nothing is.
    pub fn kept(&self, at: &mut Invocation<'_>, words: &Item, row: usize) -> u32 {
        let left = self.count(at).saturating_sub(row * self.vector);
        if left == 0 {
            return 0;
        }
        let mask = match &self.decides {
            Decides::Mask(mask) => Some(at.read(*mask, row, self.vector)),
            Decides::Condition(_) => None,
        };
        let keeps = |i: usize| match (&self.decides, &mask) {
            (Decides::Condition(condition), _) => {
                condition.holds(words.element(i, self.element_words).bits())
            }
            (_, mask) => mask.is_some_and(|mask| mask.words()[i] != 0),
        };
        (0..self.vector.min(left)).fold(0, |kept, i| kept | u32::from(keeps(i)) << i)
    }

    /// Moves element number `i` of a row to a place; `index` is its index.
    pub fn move_element(
        &self,
        at: &mut Invocation<'_>,
        words: &Item,
        i: usize,
        (place, index): (usize, usize),
    ) {
        if let Some(values) = self.values {
            at.write(values, place, &words.element(i, self.element_words), self.element_words);
        }
        if let Some(indices) = self.indices {
            at.write(indices, place, &Item::of(&[index as u32]), 1);
        }
    }
}
