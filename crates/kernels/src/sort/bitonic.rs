//! govindaraju2005: a network of comparisons on four keys to a texel, each with its index. `glsl/sort/bitonic/`.

use super::moves::Moves;
use crate::{Error, FragmentKernel, Terms, Texel};

/// Keys in a texel.
const ITEMS: i32 = 4;

/// A key and the index that it had.
type Pair = (u32, u32);

/// A comparison of the pairs at a distance, in runs that alternate in direction.
#[derive(Clone, Copy)]
struct Step {
    run: i32,
    distance: i32,
    /// The bits of a key that count.
    bits: u32,
}

impl Step {
    /// The pair that a place keeps, of its own and its partner's.
    fn kept(self, place: i32, own: Pair, other: Pair) -> Pair {
        let rank = |(key, index): Pair| (key & self.bits, index);
        let [first, second] = if rank(own) < rank(other) { [own, other] } else { [other, own] };
        let (ascends, is_left) = (place & self.run == 0, place & self.distance == 0);
        if ascends == is_left { first } else { second }
    }

    /// All the steps of a run from this one on that compare places of one texel.
    fn in_texel(self, first: i32, mut pairs: [Pair; 4]) -> [Pair; 4] {
        let mut distance = self.distance;
        while distance > 0 {
            let (step, before) = (Step { distance, ..self }, pairs);
            for place in 0..ITEMS {
                let other = before[(place ^ distance) as usize];
                pairs[place as usize] = step.kept(first + place, before[place as usize], other);
            }
            distance /= 2;
        }
        pairs
    }
}

/// Keys and their indices, in runs of a texel; past the end the highest key.
pub fn first(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (keys, target, bits) = (terms.source("u_keys")?, terms.target(), terms.uint("u_bits")?);
    Ok(Box::new(move |at| {
        let first = target.index(at.here) * ITEMS;
        let pairs = [0, 1, 2, 3].map(|place| {
            let index = first + place;
            let is_past = index >= keys.shape.len;
            (if is_past { u32::MAX } else { at.fetch_item_at(keys, index).words()[0] }, index as u32)
        });
        let pairs = Step { run: 2, distance: 1, bits }.in_texel(first, pairs);
        let pairs = Step { run: 4, distance: 2, bits }.in_texel(first, pairs);
        at.write(0, &pairs.map(|(key, _)| key));
        at.write(1, &pairs.map(|(_, index)| index));
    }))
}

/// A step between texels; after the shortest one, those within the texel.
pub fn step(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (keys, indices) = (terms.source("u_keys")?, terms.source("u_indices")?);
    let step =
        Step { run: terms.int("u_run")?, distance: terms.int("u_distance")?, bits: terms.uint("u_bits")? };
    Ok(Box::new(move |at| {
        let here = at.here;
        let texel = keys.shape.index(here);
        let there = keys.shape.texel(texel ^ (step.distance / ITEMS));
        let mut pairs = |texel: Texel| (at.fetch(keys, texel), at.fetch(indices, texel));
        let ((own, own_indices), (other, other_indices)) = (pairs(here), pairs(there));
        let mut pairs = [(0, 0); 4];
        for place in 0..4 {
            let pair = (own[place], own_indices[place]);
            let partner = (other[place], other_indices[place]);
            pairs[place] = step.kept(texel * ITEMS + place as i32, pair, partner);
        }
        if step.distance == ITEMS {
            pairs = Step { distance: ITEMS / 2, ..step }.in_texel(texel * ITEMS, pairs);
        }
        at.write(0, &pairs.map(|(key, _)| key));
        at.write(1, &pairs.map(|(_, index)| index));
    }))
}

/// Each place takes what had the index that is sorted there.
pub fn gather(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (indices, moves) = (terms.source("u_indices")?, Moves::new(terms, terms.define("ITEMS")?)?);
    Ok(Box::new(move |at| {
        moves.write(at, |at, place| at.fetch_item_at(indices, place).words()[0] as i32);
    }))
}
