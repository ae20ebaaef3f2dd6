//! Linear systems: all orders of a sum at once, and linear recurrences. `glsl/scan/common/linear.glsl`.
//!
//! Both are a *state* of `order` items for each interleaved stream, which every item of the stream changes in the same way:
//!
//! ```text
//! state' = A state + (item, 0, 0 ...)
//! ```
//!
//! Of sums, the last ones of all orders, lowest first. A recurrence keeps its input with only the feedback applied, the newest
//! first; its result is a sum of those by the forward coefficients (direct form II).
//!
//! Without items, n steps are A^n. So pieces of the stream, lanes, warps and tiles are put together by one rule: state after
//! both = A^n (state after the left one) + (state that the right one, of n items, makes of zeros). The powers come from a
//! table, for 0 to `GROUP - 1` runs, and then for 0 to `GROUP` tiles if a kernel needs them.

mod lanes;

use super::tile::{Held, Tile};
use crate::{Binding, Error, Group, Invocation, Item, Shared, Terms, product};

/// A linear system over interleaved streams, whose lanes have runs of adjacent items.
#[derive(Clone)]
pub struct Linear {
    tile: Tile,
    /// Items in the state of one stream: `ORDER`.
    pub order: usize,
    /// Interleaved streams: `INTERLEAVED`.
    pub interleaved: usize,
    /// Forward coefficients of a recurrence; `None` for sums.
    forward: Option<usize>,
    powers: Binding,
    group: usize,
}

/// The coefficients of a recurrence; none of sums.
#[derive(Clone, Default)]
pub struct Coefficients {
    forward: Vec<Item>,
    feedback: Vec<Item>,
}

/// The states of a group's warps, in shared memory.
pub struct WarpStates {
    /// Those that warps make of zeros.
    pub of_warps: Shared,
    /// Those that all before each warp make of zeros.
    before: Shared,
}

/// Is given the state that a tile makes of zeros by the invocation that has it.
pub type Publish<'p> = &'p mut dyn FnMut(&mut Invocation<'_>, &[Item]);

impl Linear {
    /// The system of a pass.
    pub fn new(terms: &Terms<'_>, tile: &Tile) -> Result<Linear, Error> {
        Ok(Linear {
            tile: tile.clone(),
            order: terms.define("ORDER")? as usize,
            interleaved: terms.define("INTERLEAVED")? as usize,
            forward: terms.is_on("RECURS").then(|| terms.define("FORWARD")).transpose()?.map(|n| n as usize),
            powers: terms.binding("POWERS")?,
            group: terms.invocations(),
        })
    }

    /// Items in a state: `CARRIED`.
    pub fn carried(&self) -> usize {
        self.order * self.interleaved
    }

    /// A state of nothing.
    pub fn zeros(&self) -> Vec<Item> {
        vec![self.tile.operation.identity(); self.carried()]
    }

    /// Shared memory for the states of warps.
    pub fn warp_states(&self) -> WarpStates {
        let states = || self.shared(self.tile.totals.count * self.carried());
        WarpStates { of_warps: states(), before: states() }
    }

    /// Shared memory for so many items, which is not recorded.
    pub fn shared(&self, len: usize) -> Shared {
        Shared::unrecorded(len, self.tile.operation.words)
    }

    fn weights(&self) -> usize {
        if self.forward.is_some() { self.order * self.order } else { self.order }
    }

    fn power_items(&self, at: &mut Invocation<'_>, items: std::ops::Range<usize>) -> Vec<Item> {
        items.map(|place| at.read_item(self.powers, place, self.tile.operation.words)).collect()
    }

    /// The power of A for so many runs.
    pub fn power_of_runs(&self, at: &mut Invocation<'_>, runs: usize) -> Vec<Item> {
        let first = self.forward.map_or(0, |forward| forward + self.order) + runs * self.weights();
        self.power_items(at, first..first + self.weights())
    }

    /// The power of A for so many tiles.
    pub fn power_of_tiles(&self, at: &mut Invocation<'_>, tiles: usize) -> Vec<Item> {
        self.power_of_runs(at, self.group + tiles)
    }

    /// The coefficients, if it is a recurrence.
    pub fn coefficients(&self, at: &mut Invocation<'_>) -> Coefficients {
        let Some(forward) = self.forward else { return Coefficients::default() };
        Coefficients {
            forward: self.power_items(at, 0..forward),
            feedback: self.power_items(at, forward..forward + self.order),
        }
    }

    fn times(&self, left: &Item, right: &Item) -> Item {
        product(self.tile.operation.element, left, right)
    }

    /// Adds a power times a state. A power of sums has the same weights on each diagonal, of which the main one is 1.
    pub fn add_power(&self, at: &mut Invocation<'_>, sum: &mut [Item], power: &[Item], state: &[Item]) {
        let place = |k: usize, m: usize| k * self.interleaved + m;
        for k in 0..self.order {
            for m in 0..self.interleaved {
                let mut item = sum[place(k, m)];
                if self.forward.is_none() {
                    item = at.combine(&item, &state[place(k, m)]);
                }
                let last = if self.forward.is_some() { self.order } else { k };
                for i in 0..last {
                    let weight = if self.forward.is_some() { k * self.order + i } else { k - i };
                    let added = self.times(&power[weight], &state[place(i, m)]);
                    item = at.combine(&item, &added);
                }
                sum[place(k, m)] = item;
            }
        }
    }

    /// Moves a state on by an item of stream `m`.
    fn take(&self, at: &mut Invocation<'_>, by: &Coefficients, mut item: Item, m: usize, state: &mut [Item]) {
        let of_stream = (m..self.carried()).step_by(self.interleaved);
        if self.forward.is_none() {
            for place in of_stream {
                item = at.combine(&state[place], &item);
                state[place] = item;
            }
            return;
        }
        for (place, feedback) in of_stream.clone().zip(&by.feedback) {
            item = at.combine(&item, &self.times(feedback, &state[place]));
        }
        for place in of_stream {
            std::mem::swap(&mut state[place], &mut item);
        }
    }

    /// The result of stream `m` that belongs to a state.
    fn result_of(&self, at: &mut Invocation<'_>, by: &Coefficients, m: usize, state: &[Item]) -> Item {
        if self.forward.is_none() {
            return state[(self.order - 1) * self.interleaved + m];
        }
        let identity = at.identity();
        by.forward.iter().enumerate().fold(identity, |sum, (k, forward)| {
            at.combine(&sum, &self.times(forward, &state[k * self.interleaved + m]))
        })
    }

    /// The state that an invocation's run makes of zeros.
    pub fn sum_run(&self, at: &mut Invocation<'_>, by: &Coefficients, held: &Held) -> Vec<Item> {
        let mut state = self.zeros();
        for (i, item) in held.run(at.number).into_iter().enumerate() {
            self.take(at, by, item, i % self.interleaved, &mut state);
        }
        state
    }

    /// The results of an invocation's run from the state before it, which becomes the state after it.
    pub fn scan_run(&self, at: &mut Invocation<'_>, by: &Coefficients, held: &mut Held, state: &mut [Item]) {
        let mut results = Vec::new();
        for (i, item) in held.run(at.number).into_iter().enumerate() {
            let m = i % self.interleaved;
            if self.tile.exclusive {
                results.push(self.result_of(at, by, m, state));
            }
            self.take(at, by, item, m, state);
            if !self.tile.exclusive {
                results.push(self.result_of(at, by, m, state));
            }
        }
        held.set_run(at.number, &results);
    }

    /// From runs to rows of lanes, whose vectors are adjacent and are written together. With serial lanes a row is a part of
    /// a run.
    pub fn turn_to_rows(&self, group: &mut Group<'_>, held: &mut Held) {
        let (lanes, rows) = (self.tile.totals.warps.lanes, self.tile.rows);
        if lanes == 1 {
            return;
        }
        group.barrier();
        let runs = held.rows.clone();
        for (n, of_lane) in held.rows.iter_mut().enumerate() {
            let (warp, lane) = (n / lanes * lanes, n % lanes);
            for (number, row) in of_lane.iter_mut().enumerate() {
                let vector = number * lanes + lane;
                row.items.clone_from(&runs[warp + vector / rows][vector % rows].items);
            }
        }
    }
}
