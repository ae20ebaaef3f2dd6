//! maleki2016, section 2.1: the chained scan. Each tile waits for the prefix of the tile before it, and publishes its own.
//! `glsl/scan/chained/`.

use super::states::{States, Use};
use super::tile::Tile;
use crate::{Error, GroupKernel, Invocation, Item, Terms};

/// The chain of a pass.
struct Chain {
    tile: Tile,
    states: States,
    /// The number of the first tile that is bound in the whole stream.
    first: usize,
    /// The status of the sums of a tile and of all before it.
    prefix: u32,
}

impl Chain {
    /// Waits for the prefix of the tile before; if it does not come, goes back to the last one that has, or to the
    /// identity before the first tile. Returns the number of the first tile after it, and its prefix.
    fn wait_before(&self, at: &mut Invocation<'_>, tile: usize) -> (usize, Vec<Item>) {
        let (states, tuple) = (&self.states, self.tile.tuple);
        let numbers = |tile: usize| (tile * tuple..(tile + 1) * tuple).collect::<Vec<usize>>();
        let mut known = tile;
        let found = loop {
            let Some(other) = known.checked_sub(1) else { break None };
            let of = Use { tile, may_miss: other >= self.first, polls_together: false };
            match states.look(at, of, &numbers(other), &[self.prefix]) {
                Some((_, sums)) => break Some(sums),
                None => known = other,
            }
        };
        for m in 0..tuple {
            for missing in (known..tile).rev() {
                states.missing(at, tile, missing * tuple + m, 0, &self.tile.operation.identity());
            }
            if let Some(sums) = &found {
                states.combined(at, tile, (known - 1) * tuple + m, self.prefix, &sums[m]);
            }
        }
        (known, found.unwrap_or_else(|| vec![self.tile.operation.identity(); tuple]))
    }
}

/// The scan.
pub fn scan(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let tile = Tile::new(terms)?;
    let states = States::new(terms, tile.operation.words)?;
    let (first, groups) = (terms.int("u_first")? as usize, terms.groups());
    let chain = Chain { tile, states, first, prefix: (terms.run() as u32) << 2 | 1 };
    Ok(Box::new(move |group| {
        let (tile, tuple) = (&chain.tile, chain.tile.tuple);
        let ticket = chain.states.take_ticket(&mut group.invocation(0));
        group.barrier();
        let Some(ticket) = usize::try_from(ticket).ok().filter(|_| ticket < groups) else { return };
        let own = chain.first + ticket;
        let mut held = tile.held(group);
        let mut total = vec![tile.operation.identity(); tuple];
        // One round if nothing is missing. Otherwise rounds for the missing prefixes, in order, and one for this tile again.
        let mut wanted = own;
        let mut prefix: Option<Vec<Vec<Item>>> = None;
        loop {
            match wanted.checked_sub(chain.first) {
                Some(bound) => tile.load(group, &mut held, bound),
                None => return group.fail(|| format!("computes tile {wanted} again, which is not bound")),
            }
            tile.scan(group, &mut held);
            group.each(|at| tile.share_of(at).for_each(|m| total[m] = tile.total(at, &held, m)));
            match &mut prefix {
                None => {
                    let (known, sums) = chain.wait_before(&mut group.invocation(0), own);
                    group.barrier();
                    prefix = Some(vec![sums; group.size]);
                    wanted = known;
                    if wanted == own {
                        break;
                    }
                }
                Some(prefix) => {
                    group.barrier();
                    if wanted == own {
                        break;
                    }
                    group.each(|at| {
                        let sums = prefix[at.number].iter_mut().zip(&total);
                        sums.for_each(|(sum, total)| *sum = at.combine(sum, total));
                    });
                    wanted += 1;
                }
            }
            group.barrier();
        }
        let prefix = prefix.unwrap_or_default().swap_remove(0);
        group.each(|at| {
            for m in tile.share_of(at) {
                let sum = at.combine(&prefix[m], &total[m]);
                chain.states.publish(at, own, own * tuple + m, chain.prefix, &sum);
            }
        });
        group.barrier();
        let before: Vec<Vec<Item>> = (0..group.size).map(|n| prefix[tile.members_of(n)].to_vec()).collect();
        tile.store(group, &mut held, ticket, &before);
    }))
}
