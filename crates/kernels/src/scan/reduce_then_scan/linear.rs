//! Linear systems: all orders of a sum, or a recurrence, with one reduction and one scan. `states.glsl` and `linear_*.comp`.

use super::Sums;
use crate::scan::linear::{Coefficients, Linear};
use crate::scan::tile::{Held, Tile};
use crate::{Error, GroupKernel, Invocation, Item, Terms};

/// A linear system whose states are exchanged tile by tile.
struct System {
    tile: Tile,
    linear: Linear,
    sums: Sums,
    /// A tile of states has one for each invocation.
    of_states: bool,
}

impl System {
    fn new(terms: &Terms<'_>) -> Result<System, Error> {
        let tile = Tile::new(terms)?;
        let linear = Linear::new(terms, &tile)?;
        let sums = Sums { carried: false, ..Sums::new(terms, linear.carried())? };
        Ok(System { tile, linear, sums, of_states: terms.is_on("OF_STATES") })
    }

    /// The state that an invocation has, or makes of zeros, and the coefficients that it needs for it.
    fn state_of(&self, at: &mut Invocation<'_>, held: &Held) -> (Coefficients, Vec<Item>) {
        if self.of_states {
            return (Coefficients::default(), held.run(at.number));
        }
        let coefficients = self.linear.coefficients(at);
        let state = self.linear.sum_run(at, &coefficients, held);
        (coefficients, state)
    }
}

/// For linear systems: the state that each tile makes of zeros.
pub fn linear_reduce(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let system = System::new(terms)?;
    Ok(Box::new(move |group| {
        let System { tile, linear, sums, .. } = &system;
        let (number, size, carried) = (group.index as usize, group.size, linear.carried());
        let warps = tile.totals.warps;
        let mut held = tile.held(group);
        tile.load(group, &mut held, number);
        // Moved on to the end of the tile, states only add up.
        let moved: Vec<Vec<Item>> = group.map(|at| {
            let (_, state) = system.state_of(at, &held);
            let power = linear.power_of_runs(at, size - 1 - at.number);
            let mut sum = linear.zeros();
            linear.add_power(at, &mut sum, &power, &state);
            sum
        });
        let mut of_warps = linear.shared(tile.totals.count * carried);
        for i in 0..carried {
            let own = moved.iter().map(|state| state[i]).collect();
            let of_lanes = tile.totals.of_lanes(group, own, 1, warps.lanes);
            group.each(|at| {
                let n = at.number;
                if warps.lane(n) == 0 {
                    of_warps.set(at, warps.warp(n) * carried + i, of_lanes[n]);
                }
            });
        }
        group.barrier();
        group.each(|at| {
            for i in (at.number..carried).step_by(size) {
                let first = of_warps.get(at, i);
                let total = (1..tile.totals.count).fold(first, |total, warp| {
                    let next = of_warps.get(at, warp * carried + i);
                    at.combine(&total, &next)
                });
                sums.put(at, number, i, &total);
            }
        });
    }))
}

/// For linear systems: each tile again, from the state after all tiles before it. The results of a tile of states are the
/// states after each.
pub fn linear_scan(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let system = System::new(terms)?;
    Ok(Box::new(move |group| {
        let System { tile, linear, sums, .. } = &system;
        let number = group.index as usize;
        let mut held = tile.held(group);
        let mut states = linear.warp_states();
        tile.load(group, &mut held, number);
        let (coefficients, mut up_to): (Vec<_>, Vec<_>) =
            group.map(|at| system.state_of(at, &held)).into_iter().unzip();
        let mut start = linear.scan_lanes(group, &mut up_to, &mut states);
        group.barrier();
        linear.put_before_warps(group, &mut states, &up_to, None);
        group.barrier();
        group.each(|at| {
            let start = &mut start[at.number];
            let before = sums.before(at, number, 0..linear.carried());
            linear.begin_with(at, &states, &before, start);
            if system.of_states {
                let mut after = held.run(at.number);
                let power = linear.power_of_runs(at, 1);
                linear.add_power(at, &mut after, &power, start);
                held.set_run(at.number, &after);
            } else {
                linear.scan_run(at, &coefficients[at.number], &mut held, start);
            }
        });
        linear.turn_to_rows(group, &mut held);
        tile.put(group, &mut held, number);
    }))
}
