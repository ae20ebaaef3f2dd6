//! blelloch1990's split by one bit. `glsl/sort/split/`.

use super::moves::Moves;
use crate::{Error, FragmentKernel, Terms};

/// 1 for each key with a 0 in the bit.
pub fn flags(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (keys, bit) = (terms.source("u_keys")?, terms.int("u_bit")?);
    Ok(Box::new(move |at| {
        let here = at.here;
        let flags = at.fetch(keys, here).map(|key| u32::from(key >> bit & 1 == 0));
        at.write(0, &flags[..keys.texel_items]);
    }))
}

/// Each place finds its key: the zeros' come first, in their order, then the ones'. The sums count the zeros up to each key.
pub fn gather(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (sums, moves) = (terms.source("u_sums")?, Moves::new(terms, terms.define("ITEMS")?)?);
    let len = sums.shape.len;
    Ok(Box::new(move |at| {
        let zeros = match len {
            0 => 0,
            _ => at.fetch_item_at(sums, len - 1).words()[0] as i32,
        };
        moves.write(at, |at, place| {
            // Of the place's own kind, and of the other one.
            let (rank, others) = if place < zeros { (place, len - zeros) } else { (place - zeros, zeros) };
            let (mut lower, mut upper) = (rank, rank + others);
            while lower < upper {
                let middle = (lower + upper) / 2;
                let counted = at.fetch_item_at(sums, middle).words()[0] as i32;
                let of_kind = if place < zeros { counted } else { middle + 1 - counted };
                if of_kind <= rank {
                    lower = middle + 1;
                } else {
                    upper = middle;
                }
            }
            upper
        });
    }))
}
