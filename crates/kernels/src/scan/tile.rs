//! A tile of the stream in the registers of a work group: loaded and scanned. `glsl/scan/common/tile.glsl`; what writes it is
//! in `store.rs`.
//!
//! Each warp has a contiguous piece of the tile: rows of lanes, and a lane has a *vector* of adjacent items in each row. With
//! tuples, either a vector holds whole ones, or a tuple lies across `distance` lanes. *Members* are the items at one position
//! in all tuples; each member is scanned on its own.
//!
//! On a CPU, lanes can go over a large tile vector by vector, without holding it (`IN_SERIES`): once for its sum, and once more
//! for the result.

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
    fn load_vector(&self, at: &mut Invocation<'_>, vector: usize) -> Vec<Item> {
        let loads = self.vector * self.value_words / self.load;
        let mut words = Vec::with_capacity(self.vector * self.value_words);
        for place in vector * loads..(vector + 1) * loads {
            let loaded = match place < self.loads_in_stream() {
                true => at.read(self.source, place, self.load),
                false => Item::of(&[]),
            };
            words.extend_from_slice(&loaded.words()[..self.load]);
        }
        words.chunks(self.value_words).map(Item::of).collect()
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
            let heads = splits.of_rows(group, self.totals.warps, (self.rows, self.vector), first);
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

    /// Scans the loaded tile, and shares the warps' totals. The group must have finished reading older ones.
    pub fn scan(&self, group: &mut Group<'_>, held: &mut Held) {
        let mut sums = vec![self.identities(); group.size];
        if self.in_series {
            group.each(|at| {
                let sums = &mut sums[at.number];
                for row in 0..self.rows {
                    let row = self.load_alone(at, self.vector_of(held.tile, at.number, row));
                    self.add_alone(at, &row, sums);
                }
                held.rows[at.number][0].before = self.identities();
            });
        } else {
            group.each(|at| held.rows[at.number].iter_mut().for_each(|row| self.scan_vector(at, row)));
            for row in 0..self.rows {
                match self.splits.is_some() && self.totals.warps.lanes > 1 {
                    true => self.scan_split_row(group, held, row, &mut sums),
                    false => self.scan_row(group, held, row, &mut sums),
                }
            }
        }
        self.scan_warps(group, held, &sums);
    }

    /// In a vector.
    fn scan_vector(&self, at: &mut Invocation<'_>, row: &mut Row) {
        for i in self.tuple..self.vector {
            if !row.begins_at(i) {
                row.items[i] = self.combine_values(at, &row.items[i - self.tuple], &row.items[i]);
            }
        }
    }

    /// Combines values, of items with flags those without them.
    pub fn combine_values(&self, at: &mut Invocation<'_>, left: &Item, right: &Item) -> Item {
        match self.splits {
            Some(_) => at.combine_values(left, right),
            None => at.combine(left, right),
        }
    }

    /// In a row of lanes, behind the sums of the rows before it.
    fn scan_row(&self, group: &mut Group<'_>, held: &mut Held, row: usize, sums: &mut [Vec<Item>]) {
        let (warps, words) = (self.totals.warps, self.operation.words);
        let lane = |number| warps.lane(number);
        for m in 0..self.members {
            let last = |rows: &Vec<Row>| {
                let item = rows[row].items[self.vector - self.members + m];
                if self.splits.is_some() {
                    self.operation.with_flag(item, rows[row].heads != 0)
                } else {
                    item
                }
            };
            let mut scanned: Vec<Item> = held.rows.iter().map(last).collect();
            if warps.lanes == 1 {
                group.each(|at| {
                    let n = at.number;
                    let sum = &mut sums[n][m];
                    held.rows[n][row].before[m] = *sum;
                    *sum = at.combine(sum, &scanned[n]);
                });
                continue;
            }
            let mut distance = self.distance;
            while distance < self.width {
                let left = warps.up(group, &scanned, words, distance);
                group.each(|at| {
                    let n = at.number;
                    if lane(n) >= distance {
                        scanned[n] = at.combine(&left[n], &scanned[n]);
                    }
                });
                distance *= 2;
            }
            let left = warps.up(group, &scanned, words, self.distance);
            let last = |n| (self.width - self.distance + lane(n) % self.distance) as i32;
            let whole = warps.at(group, &scanned, words, last);
            group.each(|at| {
                let n = at.number;
                let sum = &mut sums[n][m];
                let first = lane(n) < self.distance;
                held.rows[n][row].before[m] = if first { *sum } else { at.combine(sum, &left[n]) };
                *sum = at.combine(sum, &whole[n]);
            });
        }
    }

    /// The same in a split stream. A ballot says where scans begin, so that lanes exchange values alone.
    fn scan_split_row(&self, group: &mut Group<'_>, held: &mut Held, row: usize, sums: &mut [Vec<Item>]) {
        let warps = self.totals.warps;
        let lane = |number| warps.lane(number);
        let heads: Vec<bool> = held.rows.iter().map(|rows| rows[row].heads != 0).collect();
        let first = warps.first_where(group, &heads);
        let last = warps.last_where(group, &heads);
        let mut scanned: Vec<Item> = held.rows.iter().map(|rows| rows[row].items[self.vector - 1]).collect();
        let mut distance = 1;
        while distance < self.width {
            let left = self.values_at(group, &scanned, |n| lane(n) as i32 - distance as i32);
            group.each(|at| {
                let n = at.number;
                if lane(n) as i32 - distance as i32 >= last[n].max(0) {
                    scanned[n] = at.combine_values(&left[n], &scanned[n]);
                }
            });
            distance *= 2;
        }
        let left = self.values_at(group, &scanned, |n| lane(n) as i32 - 1);
        let whole = self.values_at(group, &scanned, |_| self.width as i32 - 1);
        group.each(|at| {
            let n = at.number;
            let sum = &mut sums[n][0];
            let left = self.operation.with_flag(left[n], first[n] < lane(n));
            held.rows[n][row].before[0] = if lane(n) == 0 { *sum } else { at.combine(sum, &left) };
            *sum = at.combine(sum, &self.operation.with_flag(whole[n], first[n] < warps.lanes));
        });
    }

    /// The values of other lanes, word by word.
    fn values_at(&self, group: &mut Group<'_>, values: &[Item], lane: impl Fn(usize) -> i32) -> Vec<Item> {
        let mut there = values.to_vec();
        for word in 0..self.value_words {
            let own: Vec<u32> = values.iter().map(|value| value.words()[word]).collect();
            let words = self.totals.warps.word_at(group, &own, &lane);
            there.iter_mut().zip(words).for_each(|(value, there)| value.set(word, there));
        }
        // The chain of combinations goes on in the other lane.
        let warps = self.totals.warps;
        for (number, value) in there.iter_mut().enumerate() {
            let other = lane(number).clamp(0, warps.lanes as i32 - 1) as usize;
            value.depth = values[number - warps.lane(number) + other].depth;
        }
        there
    }

    /// Shares the warps' totals of member `m` of each lane, which their first lanes have.
    pub fn share_totals(&self, group: &mut Group<'_>, held: &mut Held, m: usize, sums: &[Item]) {
        group.each(|at| {
            let n = at.number;
            if self.totals.warps.lane(n) < self.distance {
                self.totals.set(at, &mut held.totals, self.member(n, m), sums[n]);
            }
        });
    }

    /// Along the warps.
    fn scan_warps(&self, group: &mut Group<'_>, held: &mut Held, sums: &[Vec<Item>]) {
        let (totals, warps) = (self.totals, self.totals.warps);
        for m in 0..self.members {
            let of_member: Vec<Item> = sums.iter().map(|sums| sums[m]).collect();
            self.share_totals(group, held, m, &of_member);
        }
        group.barrier();
        if totals.count == 1 {
            return;
        }
        let first = held.tile * totals.count;
        group.each(|at| {
            let n = at.number;
            for m in 0..self.members {
                let mut before = self.operation.identity();
                for warp in 0..warps.warp(n) {
                    let next = totals.of_warp(at, &held.totals, warp, self.member(n, m));
                    before = at.combine(&before, &next);
                    if self.warp_rows.is_some_and(|rows| rows.begins_at(first + warp + 1)) {
                        before = self.operation.identity();
                    }
                }
                for row in &mut held.rows[n] {
                    row.before[m] = at.combine(&before, &row.before[m]);
                }
            }
        });
    }

    /// The total of a member of the loaded tile over all warps, once it is scanned; of rows of warps, from the last
    /// beginning of one on.
    pub fn total(&self, at: &mut Invocation<'_>, held: &Held, member: usize) -> Item {
        let first = held.tile * self.totals.count;
        let begins = |warp| self.warp_rows.is_some_and(|rows| rows.begins_at(first + warp));
        self.totals.of_group(at, &held.totals, member, begins)
    }
}
