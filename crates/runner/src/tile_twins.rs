//! CPU twins of the scans in tiles, and the tiles of a dispatch.

use std::collections::HashMap;

use rasterscan::plan::{Access, Command, Dispatch, Pass, Plan, Slot, Uniform};
use rasterscan::{Element, Operator};

use super::compute_twins::Written;
use super::twins::Items;

/// The value of a `#define`.
pub fn define(dispatch: &Dispatch, name: &str) -> Option<usize> {
    dispatch.defines.iter().find(|(known, _)| *known == name).map(|(_, value)| *value as usize)
}

/// The items in a tile of a dispatch; `None` if it has no tiles.
pub fn tile(dispatch: &Dispatch) -> Option<usize> {
    let [tuple, rows, lanes] = ["TUPLE", "ROWS", "LANES"].map(|name| define(dispatch, name));
    let (tuple, rows, lanes) = (tuple?, rows?, lanes?);
    let vector = define(dispatch, "VECTOR")?;
    if dispatch.shader.path().ends_with("_in_series.comp") {
        return Some(rows * vector);
    }
    let width = if tuple > vector { lanes / (tuple / vector) * (tuple / vector) } else { lanes };
    Some(dispatch.invocations as usize / lanes * rows * width * vector)
}

/// Items in a tile of the caller's stream.
pub fn tile_of(plan: &Plan) -> usize {
    let mut tiles = plan.passes().iter().filter_map(|pass| match &pass.command {
        Command::Dispatch(dispatch) => tile(dispatch),
        _ => None,
    });
    tiles.next().expect("a plan in tiles")
}

/// Chunks in the ring of `sam`.
pub fn ring_of(plan: &Plan) -> Option<usize> {
    plan.passes().iter().find_map(|pass| match &pass.command {
        Command::Dispatch(dispatch) => define(dispatch, "RING"),
        _ => None,
    })
}

/// The results of a dispatch of these scans from its inputs; `None` for other shaders.
pub fn of_dispatch<T: Element>(
    pass: &Pass,
    dispatch: &Dispatch,
    buffers: &HashMap<Slot, Items<T>>,
) -> Option<Vec<Written<T>>> {
    let tiles = Tiles { operator: &pass.item.operator, dispatch, buffers };
    if define(dispatch, "RECURS") == Some(1) {
        return None;
    }
    Some(match dispatch.shader.path() {
        "scan/three_phase/scan.comp" => vec![tiles.each_alone(), tiles.sums()],
        "scan/three_phase/add.comp" => vec![tiles.added()],
        "scan/reduce_then_scan/reduce.comp" | "scan/reduce_then_scan/reduce_in_series.comp" => {
            vec![tiles.sums()]
        }
        "scan/reduce_then_scan/scan.comp" | "scan/reduce_then_scan/scan_in_series.comp" => {
            vec![tiles.scanned_from_sums()]
        }
        "scan/reduce_then_scan/linear_reduce.comp" => vec![tiles.states()],
        "scan/reduce_then_scan/linear_scan.comp" => vec![tiles.scanned_from_states()],
        "scan/chained/scan.comp" | "scan/look_back/scan.comp" | "scan/sam/scan.comp" => vec![tiles.whole()],
        // States: published values depend on timing.
        "scan/common/clear.comp" => Vec::new(),
        _ => return None,
    })
}

struct Tiles<'a, T> {
    operator: &'a Operator,
    dispatch: &'a Dispatch,
    buffers: &'a HashMap<Slot, Items<T>>,
}

impl<T: Element> Tiles<'_, T> {
    fn of(&self, name: &str) -> usize {
        define(self.dispatch, name).unwrap_or_else(|| panic!("{} has no {name}", self.dispatch.shader.path()))
    }

    fn size(&self) -> usize {
        tile(self.dispatch).expect("tiles")
    }

    /// The number of the first tile that is bound.
    fn first(&self) -> usize {
        match self.dispatch.uniforms.iter().find(|(name, _)| *name == "u_first") {
            Some((_, Uniform::Int(first))) => *first as usize,
            other => panic!("u_first is {other:?}"),
        }
    }

    /// A slot and its bound items, by the name of the binding.
    fn bound(&self, name: &str) -> (Slot, std::ops::Range<usize>) {
        let binding = self.dispatch.bindings.iter().find(|binding| binding.name == name);
        let binding = binding.unwrap_or_else(|| panic!("nothing is bound as {name}"));
        (binding.slot, binding.items.start as usize..binding.items.end as usize)
    }

    fn source(&self) -> &[[T; 2]] {
        let (slot, items) = self.bound("SOURCE");
        &self.buffers[&slot][items]
    }

    fn target(&self, items: Items<T>) -> Written<T> {
        let (slot, bound) = self.bound("TARGET");
        assert_eq!(items.len(), bound.len(), "items of {}", self.dispatch.shader.path());
        Written { slot, first: bound.start, items }
    }

    /// Scans items of tuples, starting with the total before them for each member.
    fn scan(&self, items: &[[T; 2]], mut sums: Items<T>, orders: usize, exclusive: bool) -> Items<T> {
        let tuple = self.of("TUPLE");
        if orders > 1 {
            let once = self.scan(items, sums.clone(), 1, false);
            return self.scan(&once, sums, orders - 1, exclusive);
        }
        let step = |(place, item): (usize, &[T; 2])| {
            let before = sums[place % tuple];
            sums[place % tuple] = self.combine(before, *item);
            if exclusive { before } else { sums[place % tuple] }
        };
        items.iter().enumerate().map(step).collect()
    }

    fn combine(&self, left: [T; 2], right: [T; 2]) -> [T; 2] {
        self.operator.combine(left, right).expect("a twin")
    }

    fn nothing(&self) -> Items<T> {
        vec![self.operator.identity(); self.of("TUPLE")]
    }

    fn exclusive(&self) -> bool {
        self.of("EXCLUSIVE") == 1
    }

    fn each_alone(&self) -> Written<T> {
        let tiles = self.source().chunks(self.size());
        self.target(tiles.flat_map(|tile| self.scan(tile, self.nothing(), 1, self.exclusive())).collect())
    }

    /// Only of complete tiles: the sum of the last one is never read.
    fn sums(&self) -> Written<T> {
        let (slot, _) = self.bound("SUMS");
        let tuple = self.of("TUPLE");
        let tiles = self.source().chunks_exact(self.size());
        let last = |tile: &[[T; 2]]| {
            let scan = self.scan(tile, self.nothing(), 1, false);
            scan[scan.len() - tuple..].to_vec()
        };
        Written { slot, first: self.first() * tuple, items: tiles.flat_map(last).collect() }
    }

    /// The total before a tile, by its number in the whole stream, from the sums.
    fn before(&self, tile: usize) -> Items<T> {
        let (tuple, sums) = (self.of("TUPLE"), &self.buffers[&self.bound("SUMS").0]);
        if tile == 0 { self.nothing() } else { sums[(tile - 1) * tuple..tile * tuple].to_vec() }
    }

    fn numbered(&self) -> impl Iterator<Item = (usize, &[[T; 2]])> {
        (self.first()..).zip(self.source().chunks(self.size()))
    }

    fn added(&self) -> Written<T> {
        let tuple = self.of("TUPLE");
        let add = |(number, tile): (usize, &[[T; 2]])| {
            let before = self.before(number);
            let items = tile.iter().enumerate();
            items.map(|(place, item)| self.combine(before[place % tuple], *item)).collect::<Items<T>>()
        };
        self.target(self.numbered().flat_map(add).collect())
    }

    fn scanned_from_sums(&self) -> Written<T> {
        let scan =
            |(number, tile): (usize, &[[T; 2]])| self.scan(tile, self.before(number), 1, self.exclusive());
        self.target(self.numbered().flat_map(scan).collect())
    }

    /// Interleaved streams.
    fn interleaved(&self) -> usize {
        self.of("INTERLEAVED")
    }

    /// The sums of all orders after an item, from those before it, order by order.
    fn take(&self, state: &mut [[T; 2]], member: usize, mut item: [T; 2]) {
        for sum in state.iter_mut().skip(member).step_by(self.interleaved()) {
            item = self.combine(*sum, item);
            *sum = item;
        }
    }

    /// Goes over a tile from the state before it: the state after it, and its results, which are of states those after each.
    fn go_on(&self, tile: &[[T; 2]], mut state: Items<T>) -> (Items<T>, Items<T>) {
        let mut results = Vec::new();
        if self.of("OF_STATES") == 1 {
            for made in tile.chunks_exact(state.len()) {
                state =
                    self.moved_on(&state).into_iter().zip(made).map(|(x, y)| self.combine(x, *y)).collect();
                results.extend(&state);
            }
            return (state, results);
        }
        let last = state.len() - self.interleaved();
        for (place, item) in tile.iter().enumerate() {
            let member = place % self.interleaved();
            let before = state[last + member];
            self.take(&mut state, member, *item);
            results.push(if self.exclusive() { before } else { state[last + member] });
        }
        (state, results)
    }

    /// A state after as many zeros as its tile has tuples, by the power of one run in the table.
    fn moved_on(&self, state: &[[T; 2]]) -> Items<T> {
        let order = self.of("ORDER");
        let power = &self.buffers[&self.bound("POWERS").0][order..2 * order];
        let weighted = |weight: &[T; 2], item: [T; 2]| Operator::MUL.combine(*weight, item).expect("a twin");
        let row = |place: usize| {
            let (row, member) = (place / self.interleaved(), place % self.interleaved());
            let terms = (0..=row).map(|i| weighted(&power[row - i], state[i * self.interleaved() + member]));
            terms.reduce(|sum, term| self.combine(sum, term)).expect("a term")
        };
        (0..state.len()).map(row).collect()
    }

    fn no_state(&self) -> Items<T> {
        vec![self.operator.identity(); self.of("ORDER") * self.interleaved()]
    }

    /// Only of complete tiles: the state of the last one is never read.
    fn states(&self) -> Written<T> {
        let (slot, _) = self.bound("SUMS");
        let tiles = self.source().chunks_exact(self.size());
        let items = tiles.flat_map(|tile| self.go_on(tile, self.no_state()).0).collect();
        Written { slot, first: self.first() * self.no_state().len(), items }
    }

    fn scanned_from_states(&self) -> Written<T> {
        let states = &self.buffers[&self.bound("SUMS").0];
        let scan = |(number, tile): (usize, &[[T; 2]])| {
            let none = self.no_state();
            let before = match number {
                0 => none,
                _ => states[(number - 1) * none.len()..number * none.len()].to_vec(),
            };
            self.go_on(tile, before).1
        };
        self.target(self.numbered().flat_map(scan).collect())
    }

    /// The scan of a part of a stream by a single pass, after any other parts.
    fn whole(&self) -> Written<T> {
        let (slot, bound) = self.bound("SOURCE");
        let orders = define(self.dispatch, "ORDER").unwrap_or(1);
        let all = &self.buffers[&slot][..bound.end];
        let result = self.scan(all, self.nothing(), orders, self.exclusive());
        self.target(result[bound.start..].to_vec())
    }
}

/// Returns true if a dispatch writes a slot.
pub fn writes(dispatch: &Dispatch, slot: Slot) -> bool {
    dispatch.bindings.iter().any(|binding| binding.slot == slot && binding.access != Access::Read)
}
