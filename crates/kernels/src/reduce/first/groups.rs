//! In buffers.

use super::numbered;
use crate::length::BoundLength;
use crate::{Error, GroupKernel, Terms};

/// Each item of values that lie as far apart as there are items.
pub fn fold(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (source, target, operation) = (terms.binding("SOURCE")?, terms.binding("TARGET")?, terms.operation());
    let [bound, items, first] = [terms.int("u_len")?, terms.int("u_items")?, terms.int("u_first")?];
    let (block, length) = (terms.define("BLOCK")? as usize, BoundLength::new(terms)?);
    let words = operation.element_words;
    Ok(Box::new(move |group| {
        group.each(|at| {
            if at.id >= items as usize {
                return;
            }
            let len = length.of(at, bound) as usize;
            let mut found = at.identity();
            for index in (at.id..len).step_by(items as usize).take(block) {
                let value = at.read(source, index, words);
                found = at.combine(&found, &numbered(value, words, first + index as i32));
            }
            at.write_item(target, at.id, &found, operation.words);
        });
    }))
}
