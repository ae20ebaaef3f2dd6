//! The decision: an element is kept if its mask is not zero, or if the condition holds. `glsl/compact/common/keep.glsl`.

use super::condition::Condition;
use crate::length::Length;
use crate::{Error, Machine, Shape, Source, Terms, Texel};

/// The decision of a pass which elements are kept.
#[derive(Clone, Copy)]
pub struct Keep {
    /// The stream, or the mask.
    source: Source,
    /// `None`: the mask says it.
    condition: Option<Condition>,
    length: Length,
}

impl Keep {
    /// The decision of a pass.
    ///
    /// Errors: [`Error::NoName`].
    pub fn new(terms: &Terms<'_>) -> Result<Keep, Error> {
        let masked = terms.is_on("MASKED");
        let condition = (!masked).then(|| Condition::new(terms)).transpose()?;
        let source = terms.source(if masked { "u_mask" } else { "u_values" })?;
        Ok(Keep { source, condition, length: Length::new(terms)? })
    }

    /// The shape of what decides: `DECIDING_SHAPE`.
    pub fn shape(&self) -> Shape {
        self.source.shape
    }

    /// A bit for each element of a texel, the first one lowest: 1 if it is kept. Past the stream's end nothing is.
    /// `kept_at`.
    pub fn bits(&self, at: &mut Machine, texel: Texel) -> u32 {
        let (items, shape) = (self.source.texel_items, self.source.shape);
        let words = self.source.texel_words / items;
        let channels = at.fetch(self.source, texel);
        let kept = |words: &[u32]| match &self.condition {
            Some(condition) => condition.holds([words[0], words.get(1).copied().unwrap_or(0)]),
            None => words[0] != 0,
        };
        let left = self.length.items(at, shape, 1) - shape.index(texel) * items as i32;
        let counting = channels[..items * words].chunks(words).take(left.max(0) as usize);
        counting.enumerate().fold(0, |bits, (number, words)| bits | u32::from(kept(words)) << number)
    }

    /// Whether the first element of a texel is kept.
    pub fn keeps(&self, at: &mut Machine, texel: Texel) -> bool {
        self.bits(at, texel) & 1 != 0
    }
}
