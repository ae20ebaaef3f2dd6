//! The states before lanes and warps, from those that they make of zeros.

use super::{Linear, Publish, WarpStates};
use crate::group::doubling;
use crate::{Group, Invocation, Item, Shared};

impl Linear {
    /// From the state of each lane's run to that of all runs of its warp up to it (`up_to`) and before it (returned), from
    /// zeros; those of warps are shared.
    pub fn scan_lanes(
        &self,
        group: &mut Group<'_>,
        up_to: &mut [Vec<Item>],
        states: &mut WarpStates,
    ) -> Vec<Vec<Item>> {
        let warps = self.tile.totals.warps;
        for distance in doubling(1, warps.lanes) {
            // The lanes exchange after all have read the power.
            let powers = group.map(|at| self.power_of_runs(at, distance));
            let left = self.lanes_up(group, up_to, distance);
            group.each(|at| {
                let n = at.number;
                if warps.lane(n) >= distance {
                    self.add_power(at, &mut up_to[n], &powers[n], &left[n]);
                }
            });
        }
        let mut start = vec![self.zeros(); group.size];
        if warps.lanes > 1 {
            let left = self.lanes_up(group, up_to, 1);
            for (n, left) in left.into_iter().enumerate().filter(|(n, _)| warps.lane(*n) > 0) {
                start[n] = left;
            }
        }
        group.each(|at| {
            let n = at.number;
            if warps.lane(n) == warps.lanes - 1 {
                self.put(at, &mut states.of_warps, warps.warp(n), &up_to[n]);
            }
        });
        start
    }

    /// The states of the lanes `distance` before each.
    fn lanes_up(&self, group: &mut Group<'_>, states: &[Vec<Item>], distance: usize) -> Vec<Vec<Item>> {
        let (warps, words) = (self.tile.totals.warps, self.tile.operation.words);
        let mut left = vec![Vec::new(); group.size];
        for i in 0..self.carried() {
            let own: Vec<Item> = states.iter().map(|state| state[i]).collect();
            for (left, item) in left.iter_mut().zip(warps.up(group, &own, words, distance)) {
                left.push(item);
            }
        }
        left
    }

    /// Writes a state to shared memory.
    pub fn put(&self, at: &mut Invocation<'_>, states: &mut Shared, number: usize, state: &[Item]) {
        for (i, item) in state.iter().enumerate() {
            states.set(at, number * self.carried() + i, *item);
        }
    }

    /// A state in shared memory.
    pub fn get(&self, at: &mut Invocation<'_>, states: &Shared, number: usize) -> Vec<Item> {
        (0..self.carried()).map(|i| states.get(at, number * self.carried() + i)).collect()
    }

    /// After [`Self::scan_lanes`] and a barrier: shares the states before each warp, and publishes the tile's.
    pub fn put_before_warps(
        &self,
        group: &mut Group<'_>,
        states: &mut WarpStates,
        up_to: &[Vec<Item>],
        publish: Option<Publish<'_>>,
    ) {
        let (warps, count) = (self.tile.totals.warps, self.tile.totals.count);
        let last = group.size - 1;
        if count == 1 {
            if let Some(publish) = publish {
                publish(&mut group.invocation(last), &up_to[last]);
            }
        } else if warps.lanes >= count {
            self.scan_warps(group, states, publish);
        } else {
            // The warps before it, one after the other.
            let before = group.map(|at| {
                let power = self.power_of_runs(at, warps.lanes);
                let mut state = self.zeros();
                for warp in 0..warps.warp(at.number) {
                    let mut next = self.get(at, &states.of_warps, warp);
                    self.add_power(at, &mut next, &power, &state);
                    state = next;
                }
                if warps.lane(at.number) == 0 {
                    self.put(at, &mut states.before, warps.warp(at.number), &state);
                }
                (power, state)
            });
            if let Some(publish) = publish {
                let (power, state) = &before[last];
                let mut after = up_to[last].clone();
                let at = &mut group.invocation(last);
                self.add_power(at, &mut after, power, state);
                publish(at, &after);
            }
        }
    }

    /// The same by the lanes of the first warp, of which each has the state of a warp.
    fn scan_warps(&self, group: &mut Group<'_>, states: &mut WarpStates, publish: Option<Publish<'_>>) {
        let (warps, count) = (self.tile.totals.warps, self.tile.totals.count);
        let mut scanned = group.map(|at| match warps.warp(at.number) {
            0 => self.get(at, &states.of_warps, at.number.min(count - 1)),
            _ => self.zeros(),
        });
        for distance in doubling(1, count) {
            let left = self.lanes_up(group, &scanned, distance);
            for lane in 0..warps.lanes {
                let at = &mut group.invocation(lane);
                let power = self.power_of_runs(at, warps.lanes * distance);
                if lane >= distance {
                    self.add_power(at, &mut scanned[lane], &power, &left[lane]);
                }
            }
        }
        for (lane, state) in scanned.iter().enumerate().take(count - 1) {
            self.put(&mut group.invocation(lane), &mut states.before, lane + 1, state);
        }
        if let Some(publish) = publish {
            publish(&mut group.invocation(count - 1), &scanned[count - 1]);
        }
    }

    /// Adds what comes before an invocation's warp to the state before it in the warp: the warps before it, and the state
    /// before the tile. [`Self::put_before_warps`] was done before the last barrier.
    pub fn begin_with(
        &self,
        at: &mut Invocation<'_>,
        states: &WarpStates,
        before_tile: &[Item],
        start: &mut [Item],
    ) {
        let warps = self.tile.totals.warps;
        if warps.warp(at.number) > 0 {
            let before = self.get(at, &states.before, warps.warp(at.number));
            let power = self.power_of_runs(at, warps.lane(at.number));
            self.add_power(at, start, &power, &before);
        }
        let power = self.power_of_runs(at, at.number);
        self.add_power(at, start, &power, before_tile);
    }
}
