//! CPU twins of the compute shaders: the results of a dispatch from its bound buffers, by the papers' pseudo-code.

use std::collections::HashMap;

use rasterscan::plan::{Dispatch, Pass, Slot, Uniform};
use rasterscan::{Element, Operator};
use rasterscan_kmodel::Pattern;

use super::twins::Items;

/// Items that a dispatch writes: a part of a buffer.
pub struct Written<T> {
    pub slot: Slot,
    pub first: usize,
    pub items: Items<T>,
}

/// The results of a scan's dispatch from its inputs; `None` for shaders without a twin here.
pub fn of_dispatch<T: Element>(
    pass: &Pass,
    dispatch: &Dispatch,
    buffers: &HashMap<Slot, Items<T>>,
) -> Option<Vec<Written<T>>> {
    let blocks = Blocks { operator: &pass.item.operator, dispatch, buffers };
    let (target, sums) = match dispatch.shader.path() {
        "scan/harris/naive.comp" | "scan/harris/work_efficient.comp" => blocks.scan("SUMS"),
        "scan/capannini/cm.comp" | "scan/capannini/scan.comp" => blocks.scan("PARTIAL"),
        "scan/capannini/up_sweep.comp" => blocks.up_sweep(),
        "scan/capannini/down_sweep.comp" => (blocks.down_sweep(), None),
        "scan/common/uniform_add.comp" => (blocks.uniform_add(), None),
        _ => return super::tile_twins::of_dispatch(pass, dispatch, buffers),
    };
    Some(std::iter::once(target).chain(sums).collect())
}

/// A dispatch over blocks; each work group takes one member of a block.
struct Blocks<'a, T> {
    operator: &'a Operator,
    dispatch: &'a Dispatch,
    buffers: &'a HashMap<Slot, Items<T>>,
}

impl<T: Element> Blocks<'_, T> {
    fn define(&self, name: &str) -> usize {
        let found = self.dispatch.defines.iter().find(|(known, _)| *known == name);
        found.unwrap_or_else(|| panic!("{} has no {name}", self.dispatch.shader.path())).1 as usize
    }

    fn tuple(&self) -> usize {
        let found = self.dispatch.uniforms.iter().find(|(known, _)| *known == "u_tuple");
        let Some((_, Uniform::Int(tuple))) = found else { panic!("no tuple") };
        *tuple as usize
    }

    /// The part of a buffer that is bound under a name.
    fn bound(&self, name: &str) -> Option<(Slot, std::ops::Range<usize>)> {
        let found = self.dispatch.bindings.iter().find(|binding| binding.name == name)?;
        Some((found.slot, found.items.start as usize..found.items.end as usize))
    }

    fn read(&self, name: &str) -> &[[T; 2]] {
        let (slot, part) = self.bound(name).unwrap_or_else(|| panic!("nothing is bound as {name}"));
        &self.buffers[&slot][part]
    }

    fn written(&self, name: &str, items: Items<T>) -> Written<T> {
        let (slot, part) = self.bound(name).unwrap_or_else(|| panic!("nothing is bound as {name}"));
        assert_eq!(items.len(), part.len(), "{name} of {}", self.dispatch.shader.path());
        Written { slot, first: part.start, items }
    }

    /// The indices of each group's items, as far as they are below `len`.
    fn groups(&self, len: usize) -> Vec<Vec<usize>> {
        let (size, tuple) = (self.define("BLOCK"), self.tuple());
        let place = |group: usize, i: usize| (group / tuple * size + i) * tuple + group % tuple;
        let places =
            |group: usize| (0..size).map(move |i| place(group, i)).filter(|place| *place < len).collect();
        (0..self.dispatch.groups as usize).map(places).collect()
    }

    fn combine(&self, left: [T; 2], right: [T; 2]) -> [T; 2] {
        self.operator.combine(left, right).expect("a twin")
    }

    /// Indices with the scan of `items`, starting with `before`, and the sum of all.
    fn scanned(&self, before: [T; 2], items: &[[T; 2]], exclusive: bool) -> (Items<T>, [T; 2]) {
        let mut sum = before;
        let scan = items.iter().map(|item| {
            let earlier = sum;
            sum = self.combine(sum, *item);
            if exclusive { earlier } else { sum }
        });
        (scan.collect(), sum)
    }

    /// The scan of each block, and the sums of the blocks if they are wanted.
    fn scan(&self, sums: &str) -> (Written<T>, Option<Written<T>>) {
        let source = self.read("SOURCE");
        let exclusive = self.define("EXCLUSIVE") == 1;
        let mut result = source.to_vec();
        let mut totals = Vec::new();
        for places in self.groups(source.len()) {
            let items: Items<T> = places.iter().map(|place| source[*place]).collect();
            let (scan, total) = self.scanned(self.operator.identity(), &items, exclusive);
            places.iter().zip(scan).for_each(|(place, item)| result[*place] = item);
            totals.push(total);
        }
        let totals = self.bound(sums).map(|_| self.written(sums, totals));
        (self.written("TARGET", result), totals)
    }

    /// harris2007: "We then add INCR(j) to all elements of block j".
    fn uniform_add(&self) -> Written<T> {
        let mut result = self.read("TARGET").to_vec();
        let increments = self.read("INCREMENTS");
        for (group, places) in self.groups(result.len()).iter().enumerate() {
            for place in places {
                result[*place] = self.combine(increments[group], result[*place]);
            }
        }
        self.written("TARGET", result)
    }

    /// The addresses of the sum of node i of level d + 1, and of the child that it does not replace.
    fn node(&self, i: usize, d: u32) -> (usize, usize) {
        // A buffer is not padded.
        let pattern = if self.define("PATTERN") == 2 { Pattern::LeftRight } else { Pattern::NoPadding };
        let address = |i: usize, d: u32| pattern.address(1 << self.define("LOG_BANKS"), i as u64, d) as usize;
        let (place, left, right) = (address(i, d + 1), address(2 * i, d), address(2 * i + 1, d));
        (place, left + right - place)
    }

    /// The result of capannini2011, algorithm 2, lines 1 to 6: the root has the total, and for each node, one child's
    /// address has the left child's sum.
    fn up_sweep(&self) -> (Written<T>, Option<Written<T>>) {
        let source = self.read("SOURCE");
        let filled = self.bound("TARGET").expect("a tree").1.len();
        let log_block = self.define("LOG_BLOCK") as u32;
        let mut result = vec![self.operator.identity(); filled];
        let mut totals = Vec::new();
        for places in self.groups(filled) {
            let item = |i: usize| source.get(places[i]).copied().unwrap_or(self.operator.identity());
            let sum = |i: usize, d: u32| {
                (i << d..(i + 1) << d).map(item).reduce(|l, r| self.combine(l, r)).expect("some items")
            };
            for d in 0..log_block {
                for i in 0..places.len() >> (d + 1) {
                    result[places[self.node(i, d).1]] = sum(2 * i, d);
                }
            }
            totals.push(sum(0, log_block));
            result[places[self.node(0, log_block - 1).0]] = sum(0, log_block);
        }
        (self.written("TARGET", result), Some(self.written("PARTIAL", totals)))
    }

    /// The result of lines 8 to 15: an item's prefix is the total before the block and the left sums on its way down.
    fn down_sweep(&self) -> Written<T> {
        let (tree, partial) = (self.read("SOURCE"), self.read("PARTIAL"));
        let log_block = self.define("LOG_BLOCK") as u32;
        let exclusive = self.define("EXCLUSIVE") == 1;
        let len = self.bound("TARGET").expect("a result").1.len();
        let mut result = vec![self.operator.identity(); len];
        for (group, places) in self.groups(tree.len()).iter().enumerate() {
            let root = tree[places[self.node(0, log_block - 1).0]];
            let before = |i: usize| {
                if i == places.len() {
                    return self.combine(partial[group], root);
                }
                let turns = (0..log_block).rev().filter(|d| i >> d & 1 == 1);
                let left = |d: u32| tree[places[self.node(i >> (d + 1), d).1]];
                turns.map(left).fold(partial[group], |l, r| self.combine(l, r))
            };
            for (i, place) in places.iter().enumerate().filter(|(_, place)| **place < len) {
                result[*place] = before(if exclusive { i } else { i + 1 });
            }
        }
        self.written("TARGET", result)
    }
}
