//! An exchange for each order: the sums of one order are needed before those of the next are known.
//! `glsl/scan/sam/rounds.glsl`.

use super::{ChunkState, Held, Ring};
use crate::{Group, Invocation, Item, Terms};

/// The exchanges of a pass.
pub struct Rounds {
    /// Whether the sums of chunks are combined one after the other, so that sums of floats do not depend on which group
    /// waited for which.
    in_order: bool,
    /// Whether the lanes of all batches may be combined once, at the end.
    commutes: bool,
}

/// The sums of chunks, as they are combined.
enum Fold {
    /// Of all so far, for each member.
    InOrder(Vec<Item>),
    /// Of the batches so far, for each invocation and member; and those of warps.
    OfLanes(Vec<Vec<Item>>, Vec<Item>),
}

impl Rounds {
    /// The exchanges of a pass.
    pub fn new(terms: &Terms<'_>) -> Rounds {
        Rounds { in_order: terms.is_on("IN_ORDER"), commutes: terms.is_on("COMMUTES") }
    }

    /// Scans a loaded chunk, in all orders. Returns the sums after it; `None` if a sum between those that are carried and
    /// the chunk is missing.
    pub fn scan_chunk(
        &self,
        ring: &Ring,
        group: &mut Group<'_>,
        held: &mut Held,
        work: ChunkState<'_>,
    ) -> Option<Vec<Item>> {
        let (tile, tuple, size) = (&ring.tile, ring.interleaved, group.size);
        let mut behind = ring.nothing();
        for order in 0..ring.orders {
            tile.scan(group, held);
            group.each(|at| {
                for m in Ring::share(at, size, tuple) {
                    let total = tile.total(at, held, m);
                    behind[order * tuple + m] = total;
                    if work.chunk == work.of {
                        ring.publish(at, work.chunk, order, m, &total);
                    }
                }
            });
            let carry = &work.carry[order * tuple..(order + 1) * tuple];
            let fold = self.gather(ring, group, &work, order)?;
            let before: Vec<Vec<Item>> =
                group.map(|at| tile.members_of(at.number).map(|m| fold.before(at, carry, m)).collect());
            tile.complete(group, held, &before, tile.exclusive && order + 1 == ring.orders);
            group.each(|at| {
                for m in Ring::share(at, size, tuple) {
                    let before = fold.before(at, carry, m);
                    let sum = &mut behind[order * tuple + m];
                    *sum = at.combine(&before, sum);
                }
            });
        }
        Some(behind)
    }

    /// The sums of the chunks from those that are carried to the chunk; `None` if one is missing.
    fn gather(
        &self,
        ring: &Ring,
        group: &mut Group<'_>,
        work: &ChunkState<'_>,
        order: usize,
    ) -> Option<Fold> {
        let (tuple, size) = (ring.interleaved, group.size);
        let none = vec![ring.tile.operation.identity(); tuple];
        let carry = &work.carry[order * tuple..(order + 1) * tuple];
        let mut fold = match self.in_order {
            true => Fold::InOrder(carry.to_vec()),
            false => Fold::OfLanes(vec![none.clone(); size], Vec::new()),
        };
        let mut all = true;
        for batch in (work.from..work.chunk).step_by(size) {
            let sums = group.map(|at| {
                let chunk = batch + at.number;
                let sums = (chunk < work.chunk).then(|| ring.sums(at, work.of, chunk, order));
                all &= sums.as_ref().is_none_or(Option::is_some);
                sums.flatten().unwrap_or_else(|| none.clone())
            });
            self.add(&mut fold, ring, group, &sums[..], work.chunk - batch, batch == work.from);
        }
        if let Fold::OfLanes(folded, of_warps) = &mut fold {
            if self.commutes {
                for m in 0..tuple {
                    let sums = of_lanes(ring, group, folded, m);
                    put(folded, m, sums);
                }
            }
            *of_warps = warps(ring, folded);
        }
        group.barrier();
        all.then_some(fold)
    }

    /// Adds the sums of a batch, a chunk for each invocation. So many chunks are left with it.
    fn add(
        &self,
        fold: &mut Fold,
        ring: &Ring,
        group: &mut Group<'_>,
        sums: &[Vec<Item>],
        left: usize,
        first: bool,
    ) {
        let (tuple, size) = (ring.interleaved, group.size);
        match fold {
            Fold::InOrder(all) => {
                for (m, all) in all.iter_mut().enumerate() {
                    group.barrier();
                    let at = &mut group.invocation(0);
                    for sums in &sums[..left.min(size)] {
                        *all = at.combine(all, &sums[m]);
                    }
                    group.barrier();
                }
            }
            Fold::OfLanes(folded, _) if self.commutes => group.each(|at| {
                for (sum, next) in folded[at.number].iter_mut().zip(&sums[at.number]) {
                    *sum = at.combine(sum, next);
                }
            }),
            Fold::OfLanes(folded, _) => {
                for m in 0..tuple {
                    let totals = ring.tile.totals;
                    let mut sums = of_lanes(ring, group, sums, m);
                    if !first {
                        // The batch before, of all warps, comes first.
                        group.barrier();
                        let of_warps: Vec<Item> =
                            folded.iter().step_by(totals.warps.lanes).map(|folded| folded[m]).collect();
                        group.each(|at| {
                            let (head, tail) = (of_warps[0], &of_warps[1..]);
                            let before = tail.iter().fold(head, |sum, next| at.combine(&sum, next));
                            if totals.warps.warp(at.number) == 0 {
                                let sum = &mut sums[at.number];
                                *sum = at.combine(&before, sum);
                            }
                        });
                        group.barrier();
                    }
                    put(folded, m, sums);
                }
            }
        }
    }
}

/// The values of the first lanes: for each warp, member by member.
fn warps(ring: &Ring, folded: &[Vec<Item>]) -> Vec<Item> {
    folded.iter().step_by(ring.tile.totals.warps.lanes).flatten().copied().collect()
}

/// A member's sums of lanes, for each invocation.
fn of_lanes(ring: &Ring, group: &mut Group<'_>, sums: &[Vec<Item>], m: usize) -> Vec<Item> {
    let totals = ring.tile.totals;
    totals.of_lanes(group, sums.iter().map(|sums| sums[m]).collect(), 1, totals.warps.lanes)
}

/// Puts a member's values in their places.
fn put(folded: &mut [Vec<Item>], m: usize, values: Vec<Item>) {
    folded.iter_mut().zip(values).for_each(|(folded, value)| folded[m] = value);
}

impl Fold {
    /// The sum before the chunk, once it is gathered.
    fn before(&self, at: &mut Invocation<'_>, carry: &[Item], m: usize) -> Item {
        match self {
            Fold::InOrder(all) => all[m],
            Fold::OfLanes(_, of_warps) => {
                let of_member = of_warps.iter().skip(m).step_by(carry.len());
                of_member.fold(carry[m], |sum, next| at.combine(&sum, next))
            }
        }
    }
}
