//! The totals of lanes, and of the warps of a work group. `glsl/scan/common/totals.glsl`, `glsl/common/sums/of_lanes.glsl`.

use crate::group::ARRAY_TOTALS;
use crate::{Group, Invocation, Item, Shared, Warps};

/// The totals of a group's warps in shared memory: one for each member of the tuples.
pub struct Totals {
    items: Shared,
    warps: usize,
    tuple: usize,
}

impl Totals {
    /// The totals of so many warps, of items of so many words.
    pub fn new(warps: usize, tuple: usize, words: usize) -> Totals {
        Totals { items: Shared::new(ARRAY_TOTALS, warps * tuple, words), warps, tuple }
    }

    /// Sets the total of a warp.
    pub fn set(&mut self, at: &mut Invocation<'_>, warp: usize, member: usize, total: Item) {
        self.items.set(at, warp * self.tuple + member, total);
    }

    /// The total over all warps: `tile_total`.
    pub fn of_all(&self, at: &mut Invocation<'_>, member: usize) -> Item {
        let first = self.items.get(at, member);
        (1..self.warps).fold(first, |total, warp| {
            let next = self.items.get(at, warp * self.tuple + member);
            at.combine(&total, &next)
        })
    }
}

/// The sums of the lanes from `first` to `lanes`, added in order by steps that begin with `first`: in the first lanes. Only
/// invocations that are at work add.
pub fn sum_of_lanes(
    group: &mut Group<'_>,
    warps: Warps,
    mut sums: Vec<Item>,
    words: usize,
    (first, lanes): (usize, usize),
    at_work: impl Fn(usize) -> bool,
) -> Vec<Item> {
    let mut distance = first;
    while distance < lanes {
        let right = warps.down(group, &sums, words, distance);
        group.each(|at| {
            if warps.lane(at.number) + distance < lanes && at_work(at.number) {
                let (sum, right) = (&mut sums[at.number], &right[at.number]);
                *sum = at.combine(sum, right);
            }
        });
        distance *= 2;
    }
    sums
}
