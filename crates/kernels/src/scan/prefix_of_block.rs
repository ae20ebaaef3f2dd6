//! The prefix of a tile from that of a certain tile before it, and the sums of all tiles between.
//! `glsl/scan/common/prefix_of_block.glsl`.
//!
//! Tiles form blocks. Every tile publishes its sum, and the last one of a block later its prefix, in a place of its own. A
//! tile needs the sums of those before it in its block and in the block before that, and in front of them the prefix of
//! the block before those two. Each invocation looks at one state. So the same sums are added in the same order always.

use super::look_back::{LookBack, TileWithPrefix, Tiles};
use crate::{Error, Group, Invocation, Item, LaneSteps, Terms};

/// The blocks of a pass.
pub struct PrefixOfBlock {
    /// Tiles in a block: `BLOCK`.
    block: usize,
    /// The number of the first block's prefix.
    prefixes: usize,
}

/// The states that a group has found so far, on the way to the prefix of a tile.
struct Seen {
    /// The tile whose prefix is looked for.
    tile: usize,
    /// The tile that needs the states: that one, or one on the way to it.
    needing: usize,
    /// For each invocation the sums at its place, if it has them.
    at: Vec<Option<Vec<Item>>>,
    /// For each warp and member, the sums of what its lanes have found.
    found: Vec<Item>,
}

impl PrefixOfBlock {
    /// The blocks of a pass.
    pub fn new(terms: &Terms<'_>) -> Result<PrefixOfBlock, Error> {
        let prefixes = terms.int("u_prefixes")? as usize;
        Ok(PrefixOfBlock { block: terms.define("BLOCK")?.max(1) as usize, prefixes })
    }

    /// Finds the prefix of a tile.
    pub fn find<T: Tiles>(
        &self,
        pass: &LookBack<T>,
        group: &mut Group<'_>,
        ticket: usize,
    ) -> TileWithPrefix<T::Held> {
        let (tiles, states, tuple, size) = (&pass.tiles, &pass.states, pass.tiles.tuple(), group.size);
        let tile = pass.first + ticket;
        let mut held = tiles.held(group);
        pass.compute(group, &mut held, tile);
        group.each(|at| {
            for m in (at.number..tuple).step_by(size) {
                let total = tiles.total(at, &held, m);
                states.publish(at, tile, tile * tuple + m, pass.aggregate, &total);
            }
        });
        let found = vec![tiles.none(); pass.warps_in_group * tuple];
        let mut seen = Seen { tile, needing: tile, at: vec![None; size], found };
        let mut helped = false;
        // Each round computes a tile before this one, or goes from block to block, back and forth.
        for round in 0.. {
            if round > 6 * (tile + 2) {
                group.fail(|| format!("tile {tile} looks for its prefix without end"));
                break;
            }
            let missing = self.look(pass, group, &mut seen);
            group.barrier();
            if missing.is_none() && seen.needing == tile {
                break;
            }
            seen.needing = self.help(pass, group, &mut held, missing, &mut seen);
            helped = true;
            group.barrier();
            group.barrier();
        }
        if helped {
            pass.compute(group, &mut held, tile);
        }
        let (mut prefix, mut total) = (pass.no_sums(), pass.no_sums());
        group.each(|at| {
            for m in (at.number..tuple).step_by(size) {
                prefix[m] = seen.sum(pass, at, m);
                total[m] = tiles.total(at, &held, m);
                if tile % self.block == self.block - 1 {
                    let sum = seen.prefix(pass, at, &held, m);
                    let number = self.prefixes + tile / self.block;
                    states.publish(at, tile, number * tuple + m, pass.prefix, &sum);
                }
            }
        });
        group.barrier();
        TileWithPrefix { ticket, held, prefix, total }
    }

    /// The tile whose state is at a place, for the tile that needs it; `None` before the first.
    fn tile_at(&self, place: usize, needing: usize) -> Option<usize> {
        ((needing / self.block) * self.block + place).checked_sub(self.block + 1)
    }

    /// The number of the state that it has there.
    fn number_at(&self, place: usize, tile: usize) -> usize {
        if place == 0 { self.prefixes + tile / self.block } else { tile }
    }

    /// The state at a place that counts for a tile, if one does: its tile.
    fn counts<T: Tiles>(&self, pass: &LookBack<T>, place: usize, needing: usize) -> Option<usize> {
        let first = pass
            .tiles
            .warp_rows()
            .map_or(0, |rows| rows.beginning(needing * pass.warps_in_group) / pass.warps_in_group);
        self.tile_at(place, needing).filter(|tile| (first..needing).contains(tile))
    }

    /// Looks at the states that a tile needs, each invocation at one of them, unless it has it. Returns the place of the
    /// first that is missing. The sums are shared.
    fn look<T: Tiles>(&self, pass: &LookBack<T>, group: &mut Group<'_>, seen: &mut Seen) -> Option<usize> {
        let tiles = &pass.tiles;
        let Seen { tile, needing, .. } = *seen;
        let mut missing = None;
        group.each(|at| {
            let (place, has) = (at.number, &mut seen.at[at.number]);
            let Some(other) = self.counts(pass, place, needing).filter(|_| has.is_none()) else { return };
            let wanted = if place == 0 { pass.prefix } else { pass.aggregate };
            let numbers = pass.numbers(self.number_at(place, other));
            match pass.states.look(at, pass.of(tile, other, false), &numbers, &[wanted]) {
                Some((status, sums)) => {
                    for (number, sum) in numbers.iter().zip(&sums) {
                        pass.states.combined(at, tile, *number, status, sum);
                    }
                    *has = Some(sums);
                }
                None => missing = missing.or(Some(place)),
            }
        });
        for m in 0..tiles.tuple() {
            let counting = seen.at.iter().enumerate().map(|(place, has)| match has {
                Some(sums) if self.counts(pass, place, needing).is_some() => sums[m],
                _ => tiles.none(),
            });
            let (sums, warps) = (counting.collect(), tiles.warps());
            let steps = LaneSteps { words: tiles.words(), first: 1, among: warps.lanes };
            let sums = warps.sums(group, sums, steps, |at, left, right| tiles.add(at, left, right));
            for (warp, sum) in sums.iter().step_by(warps.lanes).enumerate() {
                seen.found[warp * tiles.tuple() + m] = *sum;
            }
        }
        missing
    }

    /// Helps where the state at the place `missing` is missing for the tile that needs it: computes it, or goes back to the
    /// tile that has it as its prefix. If none is, computes the prefix of this tile, which ends a block. Returns the tile
    /// whose needs come next, on the way to the one whose prefix is looked for.
    fn help<T: Tiles>(
        &self,
        pass: &LookBack<T>,
        group: &mut Group<'_>,
        held: &mut T::Held,
        missing: Option<usize>,
        seen: &mut Seen,
    ) -> usize {
        let Seen { tile, needing, .. } = *seen;
        let tiles = &pass.tiles;
        let all = 0..tiles.tuple();
        let Some(place) = missing else {
            pass.compute(group, held, needing);
            let mut first = group.invocation(0);
            let sums = all.map(|m| seen.prefix(pass, &mut first, held, m)).collect();
            seen.at.fill(None);
            seen.at[0] = Some(sums);
            return if needing / self.block + 2 == tile / self.block {
                tile
            } else {
                needing + 2 * self.block
            };
        };
        // The missing state counts, so there is a tile.
        let other = self.tile_at(place, needing).unwrap_or(0);
        for number in pass.numbers(self.number_at(place, other)) {
            pass.states.missing(&mut group.invocation(place), tile, number, 0, &tiles.none());
        }
        if place == 0 {
            seen.at.fill(None);
            return other;
        }
        pass.compute(group, held, other);
        let mut at = group.invocation(place);
        seen.at[place] = Some(all.map(|m| tiles.total(&mut at, held, m)).collect());
        needing
    }
}

impl Seen {
    /// The prefix of the tile that needs the states, once it is loaded and all of them are found.
    fn prefix<T: Tiles>(
        &self,
        pass: &LookBack<T>,
        at: &mut Invocation<'_>,
        held: &T::Held,
        member: usize,
    ) -> Item {
        let total = pass.tiles.total(at, held, member);
        if pass.is_complete(self.needing) {
            return total;
        }
        let before = self.sum(pass, at, member);
        pass.tiles.add(at, &before, &total)
    }

    /// The sum of all that was found.
    fn sum<T: Tiles>(&self, pass: &LookBack<T>, at: &mut Invocation<'_>, member: usize) -> Item {
        let mut warps = self.found.iter().skip(member).step_by(pass.tiles.tuple());
        let first = warps.next().copied().unwrap_or(pass.tiles.none());
        warps.fold(first, |sum, next| pass.tiles.add(at, &sum, next))
    }
}
