//! Pieces of the stream that each warp combines in the registers of its lanes. `glsl/reduce/common/pieces.glsl`.

use std::iter::StepBy;
use std::ops::Range;

use crate::length::BoundLength;
use crate::scan::tile::Tile;
use crate::{Binding, Error, Group, Invocation, Item, Shared, Terms};

/// The pieces of a dispatch: the rows of one warp each, as those of a tile.
pub struct Pieces {
    tile: Tile,
    /// Work groups.
    groups: usize,
    /// How many of the items that are bound count.
    length: BoundLength,
    /// Whether lanes may be combined once, at the end.
    commutes: bool,
    sums: Binding,
    first_sum: usize,
}

impl Pieces {
    /// The pieces of a pass.
    pub fn new(terms: &Terms<'_>) -> Result<Pieces, Error> {
        Ok(Pieces {
            tile: Tile::new(terms)?,
            groups: terms.groups() as usize,
            length: BoundLength::new(terms)?,
            commutes: terms.is_on("COMMUTES"),
            sums: terms.binding("SUMS")?,
            first_sum: terms.int("u_first_sum")? as usize,
        })
    }

    /// The pieces of a group's warps, by their numbers among those of all groups: some warps have one more than others. They
    /// follow each other only if the order matters.
    fn shares(&self, group: usize, counted: usize) -> Vec<StepBy<Range<usize>>> {
        let tile = &self.tile;
        let pieces = counted.div_ceil(tile.rows * tile.width * tile.vector);
        let of_group = tile.totals.count;
        let warps = self.groups * of_group;
        let (each, more) = (pieces / warps, pieces % warps);
        let share = |warp: usize| {
            let begin = warp * each + warp.min(more);
            match self.commutes {
                true => (warp..pieces).step_by(warps),
                false => (begin..begin + each + usize::from(warp < more)).step_by(1),
            }
        };
        (group * of_group..(group + 1) * of_group).map(share).collect()
    }

    /// A row of a lane, of a piece: identities past the items that count, and in lanes without items.
    fn load(&self, at: &mut Invocation<'_>, piece: usize, row: usize, counted: usize) -> Vec<Item> {
        let tile = &self.tile;
        let lane = tile.totals.warps.lane(at.number);
        let mut items = vec![at.identity(); tile.vector];
        if lane < tile.width {
            let vector = (piece * tile.rows + row) * tile.width + lane;
            let loaded = tile.load_vector(at, vector);
            let inside = counted.saturating_sub(vector * tile.vector).min(tile.vector);
            items[..inside].copy_from_slice(&loaded[..inside]);
        }
        items
    }

    /// The totals of the group's warps.
    pub fn reduce(&self, group: &mut Group<'_>) -> Shared {
        let (tile, totals, warps) = (&self.tile, self.tile.totals, self.tile.totals.warps);
        let counted = self.length.of(&group.invocation(0), tile.len as i32) as usize;
        let shares = self.shares(group.index as usize, counted);
        let mut sums = vec![tile.identities(); group.size];
        for turn in 0..shares.iter().map(StepBy::len).max().unwrap_or(0) {
            let piece = |number: usize| shares[warps.warp(number)].clone().nth(turn);
            let at_work = |number: usize| piece(number).is_some();
            let loaded: Vec<Vec<Vec<Item>>> = group.map(|at| {
                let piece = piece(at.number).into_iter();
                piece
                    .flat_map(|piece| (0..tile.rows).map(move |row| (piece, row)))
                    .map(|(piece, row)| self.load(at, piece, row, counted))
                    .collect()
            });
            for member in 0..tile.members {
                for row in 0..tile.rows {
                    let mut vectors = group.map(|at| {
                        let own = loaded[at.number].get(row).map_or(&[][..], |row| &row[member..]);
                        let items = own.iter().step_by(tile.tuple).copied();
                        items.reduce(|sum, item| at.combine(&sum, &item)).unwrap_or(Item::of(&[]))
                    });
                    // If the order matters, lanes are combined row by row; else once, at the end.
                    if !self.commutes {
                        vectors = totals.of_lanes_at_work(group, vectors, tile.distance, tile.width, at_work);
                    }
                    group.each(|at| {
                        if at_work(at.number) {
                            let (sum, vector) = (&mut sums[at.number][member], &vectors[at.number]);
                            *sum = at.combine(sum, vector);
                        }
                    });
                }
            }
        }
        let mut shared = totals.shared();
        for m in 0..tile.members {
            let mut of_lanes: Vec<Item> = sums.iter().map(|sums| sums[m]).collect();
            if self.commutes {
                of_lanes = totals.of_lanes(group, of_lanes, tile.distance, tile.width);
            }
            group.each(|at| {
                if warps.lane(at.number) < tile.distance {
                    totals.set(at, &mut shared, tile.member(at.number, m), of_lanes[at.number]);
                }
            });
        }
        group.barrier();
        shared
    }

    /// Writes the group's result for each member.
    pub fn put_sums(&self, group: &mut Group<'_>, shared: &Shared) {
        let tile = &self.tile;
        let first = (self.first_sum + group.index as usize) * tile.tuple;
        group.each(|at| {
            for member in tile.share_of(at) {
                let total = tile.totals.of_group(at, shared, member, |_| false);
                at.write_item(self.sums, first + member, &total, tile.operation.words);
            }
        });
    }
}
