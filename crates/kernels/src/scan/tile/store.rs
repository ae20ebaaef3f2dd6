//! The result of a tile: the prefix of the tile combined with the scanned items, and written. `glsl/scan/common/store.glsl`.

use super::{Held, Row, Tile};
use crate::{Group, Invocation, Item};

impl Tile {
    /// Writes items as a vector, as far as the stream reaches.
    pub fn put_vector(&self, at: &mut Invocation<'_>, items: &[Item], vector: usize) {
        let Some(target) = self.target else { return };
        let stored = Item::regrouped(items, self.value_words, self.load);
        let places = vector * stored.len()..self.loads_in_stream();
        for (place, stored) in places.zip(&stored) {
            at.write(target, place, stored, self.load);
        }
        if self.load != self.value_words {
            let places = vector * self.vector..self.len;
            places.zip(items).for_each(|(place, item)| at.note_store(target, place, item));
        }
    }

    /// Scans a row behind `sums`, which then include it.
    pub fn scan_alone(&self, at: &mut Invocation<'_>, row: &mut Row, sums: &mut [Item]) {
        for i in 0..self.vector {
            let before = sums[i % self.members];
            let sum = at.combine(&before, &self.item(row, i));
            sums[i % self.members] = sum;
            row.items[i] = match self.exclusive {
                true if row.begins_at(i) => self.no_value(),
                true => self.value_of(before),
                false => self.value_of(sum),
            };
        }
    }

    /// Combines the items with those before them: `prefix` before the tile, for each invocation and each of its members,
    /// and the rest of the tile. Then they are inclusive, or shifted by one tuple. In series, they still are to come.
    pub fn complete(&self, group: &mut Group<'_>, held: &mut Held, prefix: &[Vec<Item>], exclusive: bool) {
        let (warps, first) = (self.totals.warps, held.tile * self.totals.count);
        group.each(|at| {
            let n = at.number;
            let last = first + warps.warp(n);
            let alone = self.warp_rows.is_some_and(|rows| rows.begins_within(first, last));
            for row in &mut held.rows[n] {
                let before: Vec<Item> = match alone {
                    true => row.before.clone(),
                    false => prefix[n].iter().zip(&row.before).map(|(p, b)| at.combine(p, b)).collect(),
                };
                match (self.in_series, self.splits) {
                    (true, _) => row.before = before,
                    (false, Some(_)) => self.complete_split(at, row, &before[0], exclusive),
                    (false, None) => self.complete_row(at, row, &before, exclusive),
                }
            }
        });
    }

    fn complete_row(&self, at: &mut Invocation<'_>, row: &mut Row, before: &[Item], exclusive: bool) {
        // Backwards, since an item's left neighbour is needed unchanged.
        for i in (0..self.vector).rev() {
            let before = &before[i % self.members];
            row.items[i] = match exclusive {
                false => at.combine(before, &row.items[i]),
                true if i < self.members => *before,
                true => at.combine(before, &row.items[i - self.tuple]),
            };
        }
    }

    /// The same in a split stream: the items before the vector count up to the first beginning in it.
    fn complete_split(&self, at: &mut Invocation<'_>, row: &mut Row, before: &Item, exclusive: bool) {
        let before = self.value_of(*before);
        for i in (0..self.vector).rev() {
            let begun = row.begins_up_to(i);
            row.items[i] = match exclusive {
                false if begun => row.items[i],
                false => at.combine_values(&before, &row.items[i]),
                true if row.begins_at(i) => self.no_value(),
                true if i == 0 => before,
                true if begun => row.items[i - 1],
                true => at.combine_values(&before, &row.items[i - 1]),
            };
        }
    }

    fn value_of(&self, item: Item) -> Item {
        if self.splits.is_some() { self.operation.value_of(item) } else { item }
    }

    /// Writes the items as they are, as a tile by its number among those that are bound. In series, scans them first.
    pub fn put(&self, group: &mut Group<'_>, held: &mut Held, tile: usize) {
        group.each(|at| {
            let n = at.number;
            if self.in_series {
                let mut sums = held.rows[n][0].before.clone();
                for number in 0..self.rows {
                    let mut row = self.load_alone(at, self.vector_of(held.tile, n, number));
                    self.scan_alone(at, &mut row, &mut sums);
                    self.put_vector(at, &row.items, self.vector_of(tile, n, number));
                }
            } else if self.totals.warps.lane(n) < self.width {
                for (number, row) in held.rows[n].iter().enumerate() {
                    self.put_vector(at, &row.items, self.vector_of(tile, n, number));
                }
            }
        });
    }

    /// Writes the result of the tile, by its number among those that are bound. `prefix` is the sum before it, for each
    /// invocation and each of its members.
    pub fn store(&self, group: &mut Group<'_>, held: &mut Held, tile: usize, prefix: &[Vec<Item>]) {
        self.complete(group, held, prefix, self.exclusive);
        self.put(group, held, tile);
    }
}
