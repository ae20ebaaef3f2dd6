//! The scan of a loaded tile: in each vector, in each row of lanes, along the rows, and along the warps.

use super::{Held, Row, Tile};
use crate::group::doubling;
use crate::{Group, Invocation, Item, LaneSteps};

impl Tile {
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
        #[expect(clippy::needless_range_loop, reason = "a member is not the index of one list")]
        for m in 0..self.members {
            let last = |rows: &Vec<Row>| {
                let item = rows[row].items[self.vector - self.members + m];
                if self.splits.is_some() {
                    self.operation.with_flag(item, rows[row].heads != 0)
                } else {
                    item
                }
            };
            let scanned: Vec<Item> = held.rows.iter().map(last).collect();
            if warps.lanes == 1 {
                group.each(|at| {
                    let n = at.number;
                    let sum = &mut sums[n][m];
                    held.rows[n][row].before[m] = *sum;
                    *sum = at.combine(sum, &scanned[n]);
                });
                continue;
            }
            let steps = LaneSteps { words, first: self.distance, among: self.width };
            let scanned = warps.prefixes(group, scanned, steps, |at, left, own| at.combine(left, own));
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
        for distance in doubling(1, self.width) {
            let left = self.values_at(group, &scanned, |n| lane(n) as i32 - distance as i32);
            group.each(|at| {
                let n = at.number;
                if lane(n) as i32 - distance as i32 >= last[n].max(0) {
                    scanned[n] = at.combine_values(&left[n], &scanned[n]);
                }
            });
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
