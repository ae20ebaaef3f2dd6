//! The totals of lanes, and of the warps of a work group: one for each member of the tuples. `glsl/scan/common/totals.glsl`
//! and `glsl/common/sums/of_lanes.glsl`.

use crate::group::ARRAY_TOTALS;
use crate::{Error, Group, Invocation, Item, LaneSteps, Shared, Terms, Warps};

/// The warps of a group, and the places of their totals in shared memory.
#[derive(Clone, Copy)]
pub struct Totals {
    /// The lanes of a warp.
    pub warps: Warps,
    /// Warps in a group: `WARPS`.
    pub count: usize,
    /// Members of a tuple.
    pub tuple: usize,
    /// Words of an item.
    words: usize,
}

impl Totals {
    /// The totals of a pass.
    pub fn new(terms: &Terms<'_>) -> Result<Totals, Error> {
        let lanes = terms.define("LANES")?.max(1) as usize;
        Ok(Totals {
            warps: Warps::new(terms.lanes(), lanes),
            count: terms.invocations() / lanes,
            tuple: terms.define("TUPLE")? as usize,
            words: terms.operation().words,
        })
    }

    /// The shared memory of a group for them.
    pub fn shared(&self) -> Shared {
        Shared::new(ARRAY_TOTALS, self.count * self.tuple, self.words)
    }

    /// Shares the total of a member of an invocation's warp.
    pub fn set(&self, at: &mut Invocation<'_>, totals: &mut Shared, member: usize, total: Item) {
        totals.set(at, self.warps.warp(at.number) * self.tuple + member, total);
    }

    /// The total of a member of a warp.
    pub fn of_warp(&self, at: &mut Invocation<'_>, totals: &Shared, warp: usize, member: usize) -> Item {
        totals.get(at, warp * self.tuple + member)
    }

    /// The total of a member over all warps, from the last one on of which `begins` says that a row begins with it.
    pub fn of_group(
        &self,
        at: &mut Invocation<'_>,
        totals: &Shared,
        member: usize,
        begins: impl Fn(usize) -> bool,
    ) -> Item {
        let first = self.of_warp(at, totals, 0, member);
        (1..self.count).fold(first, |total, warp| {
            let next = self.of_warp(at, totals, warp, member);
            if begins(warp) { next } else { at.combine(&total, &next) }
        })
    }

    /// The sums of the first `lanes` lanes of each warp, added in order by steps that begin with `first`: they are in
    /// the first lanes.
    pub fn of_lanes(&self, group: &mut Group<'_>, sums: Vec<Item>, first: usize, lanes: usize) -> Vec<Item> {
        self.of_lanes_at_work(group, sums, first, lanes, |_| true)
    }

    /// The same where only some warps are at work, those of these invocations.
    pub fn of_lanes_at_work(
        &self,
        group: &mut Group<'_>,
        sums: Vec<Item>,
        first: usize,
        lanes: usize,
        at_work: impl Fn(usize) -> bool,
    ) -> Vec<Item> {
        let steps = LaneSteps { words: self.words, first, among: lanes };
        let add = |at: &mut Invocation<'_>, left: &Item, right: &Item| match at_work(at.number) {
            true => at.combine(left, right),
            false => *left,
        };
        self.warps.sums(group, sums, steps, add)
    }
}
