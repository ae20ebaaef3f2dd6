//! horn2005's scatter: each element is a point. `glsl/compact/points/`.

use super::keep::Keep;
use super::moves::Moves;
use super::sums::Sums;
use crate::{Error, FragmentKernel, Terms, VertexKernel};

/// An element goes to its index minus the number of unwanted elements before it; an unwanted one nowhere.
pub fn scatter(terms: &Terms<'_>) -> Result<VertexKernel, Error> {
    let (keep, sums, target) = (Keep::new(terms)?, Sums::new(terms)?, terms.target());
    let values = Moves::new(terms).values.then(|| terms.source("u_values")).transpose()?;
    Ok(Box::new(move |at| {
        let index = at.number;
        at.give("v_index", [index as u32, 0, 0, 0]);
        if let Some(values) = values {
            let bits = at.fetch(values, values.shape.texel(index));
            at.give("v_bits", bits);
        }
        if keep.keeps(at, keep.shape().texel(index)) {
            let place = target.texel(index - sums.at(at, index));
            at.place(place.x as f32 + 0.5, place.y as f32 + 0.5);
        }
    }))
}

/// A point's texel: its element, its index, or both.
pub fn point(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let moves = Moves::new(terms);
    Ok(Box::new(move |at| {
        let (bits, index) = (at.given("v_bits"), at.given("v_index")[0]);
        moves.write(at, &bits, index);
    }))
}
