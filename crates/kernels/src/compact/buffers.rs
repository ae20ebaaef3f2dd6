//! The stream that is compacted, and its results, in buffers: an invocation takes a row of adjacent elements at a time.
//! `glsl/compact/common/buffers.glsl`.

use super::condition::Condition;
use super::moves::Moves;
use crate::length::BoundLength;
use crate::{Binding, Error, Group, Invocation, Item, Terms};

/// The rows of a dispatch.
pub struct Rows {
    /// Elements in a row: `VECTOR`.
    pub vector: usize,
    /// Elements that are bound.
    pub len: usize,
    /// How many of them count.
    length: BoundLength,
    source: Binding,
    /// Words of an element.
    words: usize,
    keep: Keep,
    values: Option<Binding>,
    indices: Option<Binding>,
}

/// The decision which elements are kept.
enum Keep {
    Condition(Condition),
    /// A word for each element.
    Mask(Binding),
}

impl Rows {
    /// The rows of a pass.
    ///
    /// Errors: [`Error::NoName`].
    pub fn new(terms: &Terms<'_>) -> Result<Rows, Error> {
        let moves = Moves::new(terms);
        let result = |moved: bool, name| moved.then(|| terms.binding(name)).transpose();
        Ok(Rows {
            vector: terms.define("VECTOR")?.max(1) as usize,
            len: terms.int("u_len")? as usize,
            length: BoundLength::new(terms)?,
            source: terms.binding("SOURCE")?,
            words: terms.operation().element_words,
            keep: match terms.is_on("MASKED") {
                true => Keep::Mask(terms.binding("MASK")?),
                false => Keep::Condition(Condition::new(terms)?),
            },
            values: result(moves.values, "VALUES")?,
            indices: result(moves.indices, "INDICES")?,
        })
    }

    /// The elements that count of those that are bound.
    pub fn counting(&self, at: &Invocation<'_>) -> usize {
        self.length.of(at, self.len as i32) as usize
    }

    /// A row of the stream; zeros beyond its end: `row_at`.
    pub fn row(&self, at: &mut Invocation<'_>, row: usize) -> Item {
        match row * self.vector < self.len {
            true => at.read(self.source, row, self.vector * self.words),
            false => Item::of(&[]),
        }
    }

    /// A bit for each element of a row, the first one lowest: 1 if it is kept. Past the stream's end nothing is: `kept_in`.
    pub fn kept(&self, at: &mut Invocation<'_>, elements: &Item, row: usize) -> u32 {
        let left = self.counting(at).saturating_sub(row * self.vector).min(self.vector);
        if left == 0 {
            return 0;
        }
        let mask = match &self.keep {
            Keep::Mask(mask) => Some(at.read(*mask, row, self.vector)),
            Keep::Condition(_) => None,
        };
        let is_kept = |i: usize| match (&self.keep, &mask) {
            (Keep::Condition(condition), _) => condition.holds(elements.element(i, self.words).bits()),
            (_, mask) => mask.is_some_and(|mask| mask.words()[i] != 0),
        };
        (0..left).fold(0, |bits, i| bits | u32::from(is_kept(i)) << i)
    }

    /// Each invocation takes the row of its number, if there is one: its elements, and a bit for each that is kept.
    pub fn each(&self, group: &mut Group<'_>, mut act: impl FnMut(&mut Invocation<'_>, &Item, u32)) {
        group.each(|at| {
            let row = at.id;
            if row * self.vector < self.len {
                let elements = self.row(at, row);
                let kept = self.kept(at, &elements, row);
                act(at, &elements, kept);
            }
        });
    }

    /// Moves the kept elements of a row to `place` and after it. `index` is that of the row's first element: `move_row`.
    pub fn move_kept(&self, at: &mut Invocation<'_>, elements: &Item, kept: u32, place: usize, index: usize) {
        let kept = (0..self.vector).filter(|i| kept >> i & 1 == 1);
        for (place, i) in (place..).zip(kept) {
            if let Some(values) = self.values {
                at.write(values, place, &elements.element(i, self.words), self.words);
            }
            if let Some(indices) = self.indices {
                at.write(indices, place, &Item::of(&[(index + i) as u32]), 1);
            }
        }
    }
}
