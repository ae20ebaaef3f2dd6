//! The kernels of `glsl/scan/common/`: what scans of several passes share.

use super::block::Block;
use crate::{Error, GroupKernel, Item, Terms};

/// The uniform add: the sum before a block is combined with all of its items, in place.
pub fn uniform_add(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let block = Block::new(terms)?;
    let (target, increments) = (terms.binding("TARGET")?, terms.binding("INCREMENTS")?);
    let words = block.operation.words;
    Ok(Box::new(move |group| {
        let number = group.index as usize;
        let increment = group.invocation(0).read(increments, number, words);
        group.barrier();
        group.each(|at| {
            let places = (at.number..block.size).step_by(block.group).map(|i| block.place(number, i));
            for place in places.filter(|place| *place < block.len) {
                let item = at.read(target, place, words);
                let sum = at.combine(&increment, &item);
                at.write(target, place, &sum, words);
            }
        });
    }))
}

/// Clears the states of all tiles and all tickets: two words each.
pub fn clear(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let states = terms.binding("STATES")?;
    let count = terms.int("u_states")? as usize;
    Ok(Box::new(move |group| {
        group.each(|at| {
            if at.id < count {
                at.write(states, at.id, &Item::of(&[]), 2);
            }
        });
    }))
}
