//! The steps in buffers.

use super::Step;
use crate::{Error, GroupKernel, Terms};

/// Step: items that combine their neighbours, one by each invocation.
pub fn step(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (step, words) = (Step::new(terms)?, terms.operation().words);
    let (source, target) = (terms.binding("SOURCE")?, terms.binding("TARGET")?);
    let items = terms.int("u_items")?;
    Ok(Box::new(move |group| {
        group.each(|at| {
            let place = at.id as i32;
            if place < items {
                let sum = step.sum(at, place, |at, index| at.read_item(source, index as usize, words));
                at.write_item(target, place as usize, &sum, words);
            }
        });
    }))
}
