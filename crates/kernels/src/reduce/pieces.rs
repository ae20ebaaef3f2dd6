//! Pieces of the stream that each warp combines in the registers of its lanes. `glsl/reduce/common/pieces.glsl`.
//!
//! A piece is some rows of lanes, a lane has a vector of adjacent items in each. With tuples a vector holds whole ones, or
//! a tuple lies across some lanes; each member is combined on its own.

use std::ops::Range;
use std::rc::Rc;

use crate::length::BoundLength;
use crate::scan::totals::Totals;
use crate::{Binding, Error, Group, Invocation, Item, Operation, Shared, Terms};

/// The pieces of a dispatch.
pub struct Pieces {
    operation: Rc<Operation>,
    totals: Totals,
    /// Work groups, and invocations in each.
    groups: usize,
    invocations: usize,
    source: Binding,
    /// Items that are bound, and how many of them count.
    len: usize,
    length: BoundLength,
    tuple: usize,
    vector: usize,
    rows: usize,
    /// Words that are loaded at a time.
    load: usize,
    /// Whether lanes may be combined once, at the end.
    commutes: bool,
    sums: Binding,
    first_sum: usize,
}

impl Pieces {
    /// The pieces of a pass.
    pub fn new(terms: &Terms<'_>) -> Result<Pieces, Error> {
        let define = |name| terms.define(name).map(|value| value as usize);
        Ok(Pieces {
            operation: terms.operation(),
            totals: Totals::new(terms)?,
            groups: terms.groups() as usize,
            invocations: terms.invocations(),
            source: terms.binding("SOURCE")?,
            len: terms.int("u_len")? as usize,
            length: BoundLength::new(terms)?,
            tuple: define("TUPLE")?,
            vector: define("VECTOR")?,
            rows: define("ROWS")?,
            load: define("LOAD")?,
            commutes: terms.is_on("COMMUTES"),
            sums: terms.binding("SUMS")?,
            first_sum: terms.int("u_first_sum")? as usize,
        })
    }

    /// Members that a lane has in one row.
    fn members(&self) -> usize {
        self.tuple.min(self.vector)
    }

    /// From a lane to the next one of the same members.
    fn distance(&self) -> usize {
        (self.tuple / self.vector).max(1)
    }

    /// Lanes with items.
    fn width(&self) -> usize {
        self.totals.warps.lanes / self.distance() * self.distance()
    }

    /// The pieces of a warp, by its number among those of all groups: some warps have one more than others.
    fn share(&self, warp: usize, counted: usize) -> Range<usize> {
        let pieces = counted.div_ceil(self.rows * self.width() * self.vector);
        let warps = self.groups * self.totals.count;
        let (each, more) = (pieces / warps, pieces % warps);
        let begin = warp * each + warp.min(more);
        begin..begin + each + usize::from(warp < more)
    }

    /// A vector, by its number among those that are bound: identities past the items that count.
    fn load(&self, at: &mut Invocation<'_>, vector: usize, counted: usize) -> Vec<Item> {
        let loads = self.vector * self.operation.words / self.load;
        let bound = (self.len * self.operation.words).div_ceil(self.load);
        let mut words = Vec::with_capacity(loads * self.load);
        for place in vector * loads..(vector + 1) * loads {
            let loaded = if place < bound { at.read(self.source, place, self.load) } else { Item::of(&[]) };
            words.extend_from_slice(&loaded.words()[..self.load]);
        }
        let items = words.chunks(self.operation.words).map(Item::of).zip(vector * self.vector..);
        items.map(|(item, index)| if index < counted { item } else { at.identity() }).collect()
    }

    /// The totals of the group's warps, whose pieces are consecutive, in shared memory.
    pub fn reduce(&self, group: &mut Group<'_>) -> Shared {
        let (totals, warps, of_group) = (self.totals, self.totals.warps, self.totals.count);
        let counted = self.length.of(&group.invocation(0), self.len as i32) as usize;
        let first = group.index as usize * of_group;
        let shares: Vec<Range<usize>> =
            (first..first + of_group).map(|warp| self.share(warp, counted)).collect();
        let lanes = (self.distance(), self.width());
        let mut sums = vec![vec![group.identity(); self.members()]; self.invocations];
        for turn in 0..shares.iter().map(Range::len).max().unwrap_or(0) {
            let piece = |number: usize| shares[warps.warp(number)].clone().nth(turn);
            let loaded: Vec<Vec<Vec<Item>>> = group.map(|at| {
                let (lane, Some(piece)) = (warps.lane(at.number), piece(at.number)) else {
                    return Vec::new();
                };
                let row = |row| match lane < self.width() {
                    true => self.load(at, (piece * self.rows + row) * self.width() + lane, counted),
                    false => vec![at.identity(); self.vector],
                };
                (0..self.rows).map(row).collect()
            });
            for member in 0..self.members() {
                for row in 0..self.rows {
                    let mut vectors = group.map(|at| {
                        let own = loaded[at.number].get(row).map_or(&[][..], |row| &row[member..]);
                        let items = own.iter().step_by(self.tuple).copied();
                        items.reduce(|sum, item| at.combine(&sum, &item)).unwrap_or(Item::of(&[]))
                    });
                    // If the order matters, lanes are combined row by row; else once, at the end.
                    if !self.commutes {
                        let at_work = |number| piece(number).is_some();
                        vectors = totals.of_lanes(group, vectors, lanes, at_work);
                    }
                    group.each(|at| {
                        if piece(at.number).is_some() {
                            let (sum, vector) = (&mut sums[at.number][member], &vectors[at.number]);
                            *sum = at.combine(sum, vector);
                        }
                    });
                }
            }
        }
        let mut shared = totals.shared();
        for m in 0..self.members() {
            let mut of_lanes: Vec<Item> = sums.iter().map(|sums| sums[m]).collect();
            if self.commutes {
                of_lanes = totals.of_lanes(group, of_lanes, lanes, |_| true);
            }
            group.each(|at| {
                let lane = warps.lane(at.number);
                if lane < self.distance() {
                    let member = lane * self.vector + m;
                    totals.set(at, &mut shared, member, of_lanes[at.number]);
                }
            });
        }
        group.barrier();
        shared
    }

    /// Writes the group's result for each member.
    pub fn put_sums(&self, group: &mut Group<'_>, shared: &Shared) {
        let first = (self.first_sum + group.index as usize) * self.tuple;
        group.each(|at| {
            for member in (at.number..self.tuple).step_by(self.invocations) {
                let total = self.totals.of_group(at, shared, member, |_| false);
                at.write_item(self.sums, first + member, &total, self.operation.words);
            }
        });
    }
}
