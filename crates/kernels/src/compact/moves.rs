//! The targets of a compaction: elements, indices, or both. `glsl/compact/common/move.glsl`.

use crate::{Error, Fragment, Source, Terms};

/// The results of a pass: elements in its first target, indices in its next one.
#[derive(Clone, Copy)]
pub struct Moves {
    /// Whether elements are moved: `MOVES_VALUES`.
    pub values: bool,
    /// Whether indices are: `MOVES_INDICES`.
    pub indices: bool,
}

impl Moves {
    /// The results of a pass.
    pub fn new(terms: &Terms<'_>) -> Moves {
        Moves { values: terms.is_on("MOVES_VALUES"), indices: terms.is_on("MOVES_INDICES") }
    }

    /// Writes a fragment's element, its index, or both.
    pub fn write(self, at: &mut Fragment<'_>, value: &[u32], index: u32) {
        if self.values {
            at.write(0, value);
        }
        if self.indices {
            at.write(usize::from(self.values), &[index]);
        }
    }
}

/// Moves elements of the stream, one to a texel, by their indices.
#[derive(Clone, Copy)]
pub struct Gather {
    moves: Moves,
    values: Option<Source>,
}

impl Gather {
    /// The moves of a pass that has the stream, `u_values`, if it moves elements.
    ///
    /// Errors: [`Error::NoName`].
    pub fn new(terms: &Terms<'_>) -> Result<Gather, Error> {
        let moves = Moves::new(terms);
        Ok(Gather { moves, values: moves.values.then(|| terms.source("u_values")).transpose()? })
    }

    /// Moves the element at an index to the fragment's texel: `move_from`. Without one, nothing is written.
    pub fn from(&self, at: &mut Fragment<'_>, index: Option<i32>) {
        let Some(index) = index else { return at.discard() };
        let value = self.values.map(|values| at.fetch(values, values.shape.texel(index)));
        self.moves.write(at, &value.unwrap_or_default(), index as u32);
    }
}
