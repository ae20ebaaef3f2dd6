//! The length of a stream of which only the first items count (`COUNTED`): `glsl/common/length.glsl` and `bound_length.glsl`.

use rasterscan::tools::limits::MAX_LEN;

use crate::{Binding, Error, Invocation, Machine, Shape, Source, Terms, Texel};

/// The most items of any stream.
pub(crate) const MOST: u32 = MAX_LEN as u32;

/// Where a draw finds how many items count, if not all do.
#[derive(Clone, Copy)]
pub struct Length(Option<Source>);

impl Length {
    /// The length of a pass.
    pub fn new(terms: &Terms<'_>) -> Result<Length, Error> {
        Ok(Length(terms.has("COUNTED").then(|| terms.source("u_length")).transpose()?))
    }

    /// The items of a texture of this shape that count, each made of `each` items of the stream: `items_of`.
    pub fn items(&self, at: &mut Machine, shape: Shape, each: i32) -> i32 {
        let Some(source) = self.0 else { return shape.len };
        let length = at.fetch_word(source, Texel { x: 0, y: 0 }).min(MOST) as i32;
        shape.len.min((length + each - 1) / each)
    }
}

/// The same for a dispatch: how many items count from the first that is bound on.
#[derive(Clone, Copy)]
pub struct BoundLength(Option<(Binding, i32)>);

impl BoundLength {
    /// The length of a dispatch.
    pub fn new(terms: &Terms<'_>) -> Result<BoundLength, Error> {
        if !terms.has("COUNTED") {
            return Ok(BoundLength(None));
        }
        Ok(BoundLength(Some((terms.binding("LENGTH")?, terms.int("u_begin")?))))
    }

    /// The items that count of those that are bound: `bound_length`. This read is not recorded.
    pub fn of(&self, at: &Invocation<'_>, bound: i32) -> i32 {
        let Some((binding, begin)) = self.0 else { return bound };
        let length = at.peek(binding, 0).min(MOST) as i32;
        (length - begin).clamp(0, bound)
    }
}
