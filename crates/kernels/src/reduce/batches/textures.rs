//! The steps in textures.

use super::Step;
use crate::{Error, FragmentKernel, Terms};

/// Step: items that combine their neighbours, several to a texel.
pub fn step(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (step, operation) = (Step::new(terms)?, terms.operation());
    let (source, target) = (terms.source("u_source")?, terms.target());
    let items = terms.define("TARGET_ITEMS")?;
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * items;
        for (place, number) in (first..target.len).zip(0..items as usize) {
            let sum = step.sum(at, place, |at, index| at.fetch_item_at(source, index));
            at.write_item(0, number, &sum, &operation);
        }
    }))
}
