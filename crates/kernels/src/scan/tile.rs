//! A tile of the stream in the registers of a work group: loaded, scanned, stored. `glsl/scan/common/tile.glsl` and `store.glsl`.
//!
//! Each warp has a contiguous piece of the tile: rows of lanes, and a lane has a *vector* of adjacent items in each row. With
//! tuples, either a vector holds whole ones, or a tuple lies across `distance` lanes. *Members* are the items at one position
//! in all tuples; each member is scanned on its own.
//!
//! On a CPU, lanes can go over a large tile vector by vector, without holding it (`IN_SERIES`): once for its sum, and once more
//! for the result.

mod scan;
mod store;

use std::rc::Rc;

use super::splits::{Splits, WarpRows};
use super::totals::Totals;
use crate::{Binding, Error, Group, Invocation, Item, Operation, Shared, Terms};

/// The shape of a pass's tiles, and the streams.
#[derive(Clone)]
pub struct Tile {
    /// Warps, and the places of their totals.
    pub totals: Totals,
    /// Items in a tuple: `TUPLE`.
    pub tuple: usize,
    /// Items of a lane in one row: `VECTOR`.
    pub vector: usize,
    /// Rows of a warp: `ROWS`.
    pub rows: usize,
    /// Members that a lane has in one row.
    pub members: usize,
    /// From a lane to the next of the same members.
    pub distance: usize,
    /// Lanes with items.
    pub width: usize,
    /// Items in a tile: `TILE`.
    pub size: usize,
    /// Items that are bound.
    pub len: usize,
    /// Element and operator.
    pub operation: Rc<Operation>,
    /// Whether results are exclusive.
    pub exclusive: bool,
    /// Whether lanes go over their vectors twice, and hold one at a time.
    pub(super) in_series: bool,
    pub(super) splits: Option<Splits>,
    pub(super) warp_rows: Option<WarpRows>,
    pub(super) target: Option<Binding>,
    source: Binding,
    /// Words that are loaded and stored at a time.
    pub(super) load: usize,
    /// Words of an item in the stream, which has its flag elsewhere.
    pub(super) value_words: usize,
    /// Whether a lane loads adjacent vectors, one in each row.
    runs: bool,
}

/// A row of a lane: its vector.
#[derive(Clone)]
pub struct Row {
    /// The items; once scanned, each combined with those before it in the vector.
    pub items: Vec<Item>,
    /// The flags, the first item's the lowest.
    pub heads: u32,
    /// The sum before the vector in the tile, for each of its members; in series, before all of the lane's.
    pub before: Vec<Item>,
}

/// A tile in a group's registers.
pub struct Held {
    /// The rows of each invocation.
    pub rows: Vec<Vec<Row>>,
    /// The number of the tile among those that are bound.
    pub(super) tile: usize,
    pub(super) totals: Shared,
}

impl Row {
    /// Whether a scan begins at an item.
    pub fn begins_at(&self, i: usize) -> bool {
        self.heads >> i & 1 != 0
    }

    /// Whether a scan begins at an item, or at one of the vector before it.
    pub fn begins_up_to(&self, i: usize) -> bool {
        self.heads & ((2 << i) - 1) != 0
    }
}

impl Held {
    /// The items of an invocation, row by row.
    pub fn run(&self, invocation: usize) -> Vec<Item> {
        self.rows[invocation].iter().flat_map(|row| &row.items).copied().collect()
    }

    /// Sets them.
    pub fn set_run(&mut self, invocation: usize, items: &[Item]) {
        let own = self.rows[invocation].iter_mut().flat_map(|row| &mut row.items);
        own.zip(items).for_each(|(own, item)| *own = *item);
    }
}

impl Tile {
    /// The tiles of a pass.
    pub fn new(terms: &Terms<'_>) -> Result<Tile, Error> {
        let totals = Totals::new(terms)?;
        let (tuple, lanes) = (totals.tuple, totals.warps.lanes);
        let vector = terms.define("VECTOR")?.max(1) as usize;
        let rows = terms.define("ROWS")? as usize;
        let distance = (tuple / vector).max(1);
        let width = lanes / distance * distance;
        let (operation, splits) = (terms.operation(), Splits::new(terms)?);
        let value_words = if splits.is_some() { operation.values().words } else { operation.words };
        Ok(Tile {
            totals,
            tuple,
            vector,
            rows,
            members: tuple.min(vector),
            distance,
            width,
            size: totals.count * rows * width * vector,
            len: terms.int("u_len")? as usize,
            exclusive: terms.is_on("EXCLUSIVE"),
            in_series: terms.is_on("IN_SERIES"),
            splits,
            warp_rows: WarpRows::new(terms)?,
            target: terms.binding("TARGET").ok(),
            source: terms.binding("SOURCE")?,
            load: terms.define("LOAD")?.max(1) as usize,
            value_words,
            runs: terms.has("RUNS"),
            operation,
        })
    }

    /// Registers and shared memory for a tile.
    pub fn held(&self, group: &Group<'_>) -> Held {
        let rows = if self.in_series { 1 } else { self.rows };
        let row = Row { items: self.none(), heads: 0, before: self.identities() };
        Held { rows: vec![vec![row; rows]; group.size], tile: 0, totals: self.totals.shared() }
    }

    /// A vector of values that change nothing.
    fn none(&self) -> Vec<Item> {
        vec![self.no_value(); self.vector]
    }

    /// The value that changes nothing: `no_value()`.
    pub(super) fn no_value(&self) -> Item {
        match self.splits {
            Some(_) => self.operation.values().identity(),
            None => self.operation.identity(),
        }
    }

    /// An identity for each member of a lane.
    pub fn identities(&self) -> Vec<Item> {
        vec![self.operation.identity(); self.members]
    }

    /// The member of a tuple with number `m` of an invocation: `member_of`.
    pub fn member(&self, invocation: usize, m: usize) -> usize {
        self.totals.warps.lane(invocation) % self.distance * self.vector + m
    }

    /// The members of a tuple that an invocation has in a row.
    pub fn members_of(&self, invocation: usize) -> std::ops::Range<usize> {
        let first = self.member(invocation, 0);
        first..first + self.members
    }

    /// The members of a tuple that an invocation handles, where the group divides all of them.
    pub fn share_of(&self, at: &Invocation<'_>) -> impl Iterator<Item = usize> + use<> {
        // One group is all lanes of all its warps.
        (at.number..self.tuple).step_by(self.totals.count * self.totals.warps.lanes)
    }

    /// The number of an invocation's vector in a row of a tile, among all that are bound.
    pub fn vector_of(&self, tile: usize, invocation: usize, row: usize) -> usize {
        let warps = self.totals.warps;
        let warp = tile * self.totals.count + warps.warp(invocation);
        (warp * self.rows + row) * self.width + warps.lane(invocation)
    }

    /// The same of the vector that it loads as this row.
    fn vector_to_load(&self, tile: usize, invocation: usize, row: usize) -> usize {
        if !self.runs {
            return self.vector_of(tile, invocation, row);
        }
        let warps = self.totals.warps;
        let warp = tile * self.totals.count + warps.warp(invocation);
        (warp * self.width + warps.lane(invocation)) * self.rows + row
    }

    /// The number of loads in the bound stream. The last one may reach past its end.
    pub(super) fn loads_in_stream(&self) -> usize {
        (self.len * self.value_words).div_ceil(self.load)
    }

    /// Loads a vector. Items past the stream's end are undefined.
    pub fn load_vector(&self, at: &mut Invocation<'_>, vector: usize) -> Vec<Item> {
        let loads = self.vector * self.value_words / self.load;
        let load = |place| match place < self.loads_in_stream() {
            true => at.read(self.source, place, self.load),
            false => Item::of(&[]),
        };
        let loaded: Vec<Item> = (vector * loads..(vector + 1) * loads).map(load).collect();
        Item::regrouped(&loaded, self.load, self.value_words)
    }

    /// Loads a vector with its flags, alone.
    pub fn load_alone(&self, at: &mut Invocation<'_>, vector: usize) -> Row {
        let items = self.load_vector(at, vector);
        let heads = self.splits.map_or(0, |splits| splits.of_items(at, vector * self.vector, self.vector));
        Row { items, heads, before: Vec::new() }
    }

    /// Loads a tile, by its number among those that are bound. Items past the stream's end are undefined.
    pub fn load(&self, group: &mut Group<'_>, held: &mut Held, tile: usize) {
        held.tile = tile;
        if self.in_series {
            return;
        }
        if let Some(splits) = self.splits {
            let first = |invocation, row| self.vector_of(tile, invocation, row) * self.vector;
            let heads = splits.of_rows(group, self.totals.warps, self.rows, self.vector, first);
            for (rows, heads) in held.rows.iter_mut().zip(heads) {
                rows.iter_mut().zip(heads).for_each(|(row, heads)| row.heads = heads);
            }
        }
        group.each(|at| {
            let has_items = self.totals.warps.lane(at.number) < self.width;
            for (number, row) in held.rows[at.number].iter_mut().enumerate() {
                row.items = match has_items {
                    true => self.load_vector(at, self.vector_to_load(tile, at.number, number)),
                    false => self.none(),
                };
            }
        });
    }

    /// Makes items past the stream's end identities, in a row whose vector has this number among all that are bound.
    pub fn end(&self, row: &mut Row, vector: usize) {
        let inside = self.len.saturating_sub(vector * self.vector).min(self.vector);
        row.items[inside..].fill(self.no_value());
    }

    /// An item of a row, as one that can be combined with others.
    pub fn item(&self, row: &Row, i: usize) -> Item {
        match self.splits {
            Some(_) => self.operation.with_flag(row.items[i], row.begins_at(i)),
            None => row.items[i],
        }
    }

    /// Adds a row to the sums of the members.
    pub fn add_alone(&self, at: &mut Invocation<'_>, row: &Row, sums: &mut [Item]) {
        for i in 0..self.vector {
            let sum = &mut sums[i % self.members];
            *sum = at.combine(sum, &self.item(row, i));
        }
    }
}
