//! satish2009: the radix sort that counts the digits of each tile, scans all counts, and moves each key.
//! `glsl/sort/three_pass/`.

use super::tile::{Moves, Tile};
use crate::{Error, GroupKernel, Item, Terms};

/// How many keys of each tile have each digit, those of one digit side by side.
pub fn counts(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (tile, counts, tiles) = (Tile::new(terms)?, terms.binding("COUNTS")?, terms.groups() as usize);
    Ok(Box::new(move |group| {
        let number = group.index as usize;
        let keys = tile.keys(group, number);
        let counted = tile.counts(&keys);
        group.barrier();
        group.each(|at| {
            for digit in tile.digits.own(at) {
                at.write(counts, digit * tiles + number, &Item::of(&[counted[digit]]), 1);
            }
        });
    }))
}

/// Each tile moves its keys to where those with their digit begin.
pub fn scatter(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (tile, starts, tiles) = (Tile::new(terms)?, terms.binding("STARTS")?, terms.groups() as usize);
    let moves = Moves::new(terms)?;
    Ok(Box::new(move |group| {
        let number = group.index as usize;
        let keys = tile.keys(group, number);
        group.barrier();
        let mut own = vec![0; tile.digits.count()];
        group.each(|at| {
            for digit in tile.digits.own(at) {
                own[digit] = at.read(starts, digit * tiles + number, 1).words()[0];
            }
        });
        group.barrier();
        moves.run(group, &tile, number, &keys, &own);
    }))
}
