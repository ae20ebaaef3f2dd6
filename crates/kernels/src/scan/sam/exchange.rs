//! One exchange for all orders of a sum, and for linear recurrences: chunks publish the state that they make of zeros.
//! `glsl/scan/sam/exchange.glsl`.

use super::super::linear::Linear;
use super::super::tile::Tile;
use super::{ChunkState, Held, Ring};
use crate::{Error, Group, Item, Terms};

/// The exchange of a pass.
pub struct Exchange {
    linear: Linear,
}

impl Exchange {
    /// The exchange of a pass.
    pub fn new(terms: &Terms<'_>, tile: &Tile) -> Result<Exchange, Error> {
        Ok(Exchange { linear: Linear::new(terms, tile)? })
    }

    /// Scans a loaded chunk. Returns the state after it; `None` if a state between the one that is carried and the chunk is
    /// missing.
    pub fn scan_chunk(
        &self,
        ring: &Ring,
        group: &mut Group<'_>,
        held: &mut Held,
        work: ChunkState<'_>,
    ) -> Option<Vec<Item>> {
        let (linear, size, carried) = (&self.linear, group.size, ring.carried());
        let by = group.map(|at| linear.coefficients(at));
        let mut up_to = group.map(|at| linear.sum_run(at, &by[at.number], held));
        let mut states = linear.warp_states();
        let mut start = linear.scan_lanes(group, &mut up_to, &mut states);
        group.barrier();
        let mut publish = |at: &mut crate::Invocation<'_>, state: &[Item]| {
            state.iter().enumerate().for_each(|(i, item)| ring.publish(at, work.chunk, 0, i, item));
        };
        let publish: Option<super::super::linear::Publish<'_>> =
            if work.chunk == work.of { Some(&mut publish) } else { None };
        linear.put_before_warps(group, &mut states, &up_to, publish);
        let fold = self.gather(ring, group, &work);
        group.barrier();
        let fold = fold?;
        let mut before = linear.zeros();
        group.each(|at| {
            for i in Ring::share(at, size, carried) {
                let mut of_warps = fold.iter().map(|state| &state[i]);
                if let Some(first) = of_warps.next() {
                    before[i] = of_warps.fold(*first, |sum, next| at.combine(&sum, next));
                }
            }
        });
        group.barrier();
        group.each(|at| {
            let n = at.number;
            linear.begin_with(at, &states, &before, &mut start[n]);
            linear.scan_run(at, &by[n], held, &mut start[n]);
        });
        linear.turn_to_rows(group, held);
        start.pop()
    }

    /// For each warp its part of the state before the chunk: from the one that is carried, and from those that the chunks
    /// between publish. `None` if one is missing.
    ///
    /// The chunks lie on the invocations so that the last one has the last chunk. The carry is the chunk in front.
    fn gather(&self, ring: &Ring, group: &mut Group<'_>, work: &ChunkState<'_>) -> Option<Vec<Vec<Item>>> {
        let (linear, totals, size) = (&self.linear, ring.tile.totals, group.size);
        let batches = (work.chunk - work.from) / size + 1;
        let mut all = true;
        let mut folded = group.map(|at| {
            let mut folded = linear.zeros();
            for batch in 0..batches {
                if batch > 0 {
                    let power = linear.power_of_tiles(at, size);
                    let earlier = std::mem::replace(&mut folded, linear.zeros());
                    linear.add_power(at, &mut folded, &power, &earlier);
                }
                // One more than the chunk, so that the carry of the first chunk has a number.
                let behind = (work.chunk + 1 + at.number).checked_sub((batches - batch) * size);
                let Some(behind) = behind.filter(|behind| *behind >= work.from) else { continue };
                let sums = match behind.checked_sub(1).filter(|chunk| *chunk >= work.from) {
                    Some(chunk) => ring.sums(at, work.of, chunk, 0),
                    None => Some(work.carry.to_vec()),
                };
                all &= sums.is_some();
                let power = linear.power_of_tiles(at, size - 1 - at.number);
                linear.add_power(at, &mut folded, &power, &sums.unwrap_or_else(|| linear.zeros()));
            }
            folded
        });
        // Powers are applied: what is left is a sum over lanes, and then over warps. Most warps have no chunk.
        let has_chunks = |n: usize| {
            let end = (totals.warps.warp(n) + 1) * totals.warps.lanes;
            batches > 1 || work.chunk + end >= work.from + size
        };
        for i in 0..ring.carried() {
            let own = folded.iter().map(|folded| folded[i]).collect();
            let sums = totals.of_lanes_at_work(group, own, 1, totals.warps.lanes, has_chunks);
            folded.iter_mut().zip(sums).for_each(|(folded, sum)| folded[i] = sum);
        }
        all.then(|| folded.into_iter().step_by(totals.warps.lanes).collect())
    }
}
