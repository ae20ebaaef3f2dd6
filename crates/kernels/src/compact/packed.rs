//! The packed compaction: a bit for each element in groups of 128, and for each run of the result the group where it begins.
//! `glsl/compact/packed/`.

mod gather;
mod search;

pub use gather::gather;
pub use search::{hints, runs};

use super::keep::Keep;
use crate::length::Length;
use crate::{Error, FragmentKernel, Terms, Texel};

/// Elements in a group: the bits of a texel.
const GROUP: i32 = 128;

/// A texel of bits for each group, 1 for each kept element.
pub fn bits(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (keep, items) = (Keep::new(terms)?, terms.define("ITEMS")?);
    Ok(Box::new(move |at| {
        let first = Texel { x: at.here.x * (GROUP / items), y: at.here.y };
        let texels = (0..GROUP / items).map(|i| Texel { x: first.x + i, y: first.y });
        let mut words = [0; 4];
        for (i, texel) in texels.enumerate() {
            let place = i * items as usize;
            words[place / 32] |= keep.bits(at, texel) << (place % 32);
        }
        at.write(0, &words);
    }))
}

/// The number of elements that each group keeps: four groups in a texel.
pub fn counts(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (bits, length, target) = (terms.source("u_bits")?, Length::new(terms)?, terms.target());
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * 4;
        let mut counts = [0; 4];
        for (group, count) in (first..).zip(&mut counts) {
            if group < length.items(at, bits.shape, GROUP) {
                let words = at.fetch(bits, bits.shape.texel(group));
                *count = words.iter().map(|word| word.count_ones()).sum();
            }
        }
        at.write(0, &counts);
    }))
}

/// The number of kept elements: those before the last group, and its own.
pub fn count(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (counts, before) = (terms.source("u_counts")?, terms.source("u_before")?);
    let length = Length::new(terms)?;
    Ok(Box::new(move |at| {
        let groups = length.items(at, counts.shape, GROUP);
        let Some(last) = usize::try_from(groups - 1).ok() else { return at.write(0, &[0]) };
        let texel = counts.shape.texel(last as i32 / 4);
        let sum = at.fetch(counts, texel)[last % 4].wrapping_add(at.fetch(before, texel)[last % 4]);
        at.write(0, &[sum]);
    }))
}
