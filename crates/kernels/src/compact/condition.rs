//! The condition of a compaction: a comparison of an element with a constant. `glsl/compact/common/condition.glsl`.

use rasterscan::ElementType;

use crate::{Error, Terms, equal, less};

/// The condition of a pass. A pass with a mask (`MASKED`) has none.
#[derive(Clone, Copy)]
pub struct Condition {
    element: ElementType,
    /// The number of the comparison, >, >=, <, <=, ==, != from 0; from 6, of those that must not hold.
    comparison: i32,
    constant: [u32; 2],
}

impl Condition {
    /// The condition of a pass.
    ///
    /// Errors: [`Error::NoName`].
    pub fn new(terms: &Terms<'_>) -> Result<Condition, Error> {
        let element = terms.operation().element;
        let constant = terms.int2("u_constant")?.map(|word| word as u32);
        Ok(Condition { element, comparison: terms.define("COMPARISON")?, constant })
    }

    /// Whether the element of these words is kept: `is_kept`. Of an element of one word, the second is not looked at.
    pub fn holds(&self, bits: [u32; 2]) -> bool {
        let (element, constant) = (self.element, self.constant);
        let holds = match self.comparison % 6 {
            0 => less(element, constant, bits),
            1 => less(element, constant, bits) || equal(element, bits, constant),
            2 => less(element, bits, constant),
            3 => less(element, bits, constant) || equal(element, bits, constant),
            4 => equal(element, bits, constant),
            _ => !equal(element, bits, constant),
        };
        holds == (self.comparison < 6)
    }
}
