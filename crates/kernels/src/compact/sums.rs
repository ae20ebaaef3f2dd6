//! Running counts, each with its own element. `glsl/compact/common/sums.glsl`.

use crate::{Error, Machine, Source, Terms};

/// The counts that a pass reads.
#[derive(Clone, Copy)]
pub struct Sums {
    source: Source,
    /// Counts.
    pub len: i32,
}

impl Sums {
    /// The counts of a pass: `u_sums`.
    ///
    /// Errors: [`Error::NoName`].
    pub fn new(terms: &Terms<'_>) -> Result<Sums, Error> {
        let source = terms.source("u_sums")?;
        Ok(Sums { source, len: source.shape.len })
    }

    /// A count: `sum_at`.
    pub fn at(&self, at: &mut Machine, index: i32) -> i32 {
        let items = self.source.texel_items as i32;
        let counts = at.fetch(self.source, self.source.shape.texel(index / items));
        counts[(index % items) as usize] as i32
    }
}
