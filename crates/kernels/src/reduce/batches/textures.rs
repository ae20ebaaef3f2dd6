//! The steps in textures.

use super::Step;
use crate::{Error, FragmentKernel, Terms};

/// Step: items that combine their neighbours, several to a texel.
pub fn step(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (step, operation) = (Step::new(terms)?, terms.operation());
    let (source, target) = (terms.source("u_source")?, terms.target());
    let items = terms.define("TARGET_ITEMS")?;
    let of_source = source.texel_items as i32;
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * items;
        // Neighbours lie in the texel that was fetched last, if it has several items.
        let mut last = (-1, Vec::new());
        for (place, number) in (first..target.len).zip(0..items as usize) {
            let sum = step.sum(at, place, |at, index| {
                if of_source == 1 {
                    return at.fetch_item_at(source, index);
                }
                let texel = index / of_source;
                if last.0 != texel {
                    last = (texel, at.fetch_items(source, source.shape.texel(texel)));
                }
                last.1[(index % of_source) as usize]
            });
            at.write_item(0, number, &sum, &operation);
        }
    }))
}
