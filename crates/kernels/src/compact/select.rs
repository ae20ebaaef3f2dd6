//! merrill2016: select. A single pass that counts a tile's kept elements, looks back for those of earlier tiles, and moves
//! them. `glsl/compact/select/`.
//!
//! A lane has single elements, a row each. If lanes can vote, those of a warp are adjacent (`STRIPED`), and a vote gives each
//! its position in the row. Otherwise a lane's elements are adjacent, and it counts them alone.

use super::buffers::Rows;
use crate::scan::look_back::{LookBack, Tiles};
use crate::scan::splits::WarpRows;
use crate::{Error, Group, GroupKernel, Invocation, Item, LaneSteps, Terms, Warps};

/// The compaction.
pub fn select(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let look_back = LookBack::new(terms, Elements::new(terms)?)?;
    let (count, last) = (terms.binding("COUNT")?, terms.int("u_last")? == 1);
    Ok(Box::new(move |group| {
        let Some(found) = look_back.next_tile(group) else { return };
        let (elements, tile) = (&look_back.tiles, found.ticket);
        let first = found.prefix[0].words()[0] as usize;
        elements.move_tile(group, &found.held, tile, first);
        let at = &mut group.invocation(0);
        let tiles = elements.elements.counting(at).div_ceil(elements.size);
        if last && tile == tiles.max(1) - 1 {
            let all = found.prefix[0].words()[0] + found.total[0].words()[0];
            at.write(count, 0, &Item::of(&[all]), 1);
        }
    }))
}

/// Tiles of elements, whose sums are counts of those that are kept.
struct Elements {
    elements: Rows,
    warps: Warps,
    /// Warps in a group.
    count: usize,
    rows: usize,
    striped: bool,
    /// Elements in a tile.
    size: usize,
    /// The number of the first tile that is bound.
    first_tile: usize,
}

/// A tile in a group's registers.
struct Held {
    /// For each invocation its elements.
    rows: Vec<Vec<Item>>,
    /// A bit for each of them: whether it is kept.
    kept: Vec<u32>,
    /// Those that are kept in the tile before the warp, or before the lane.
    first: Vec<usize>,
    /// For each warp those that are kept.
    totals: Vec<u32>,
}

impl Elements {
    fn new(terms: &Terms<'_>) -> Result<Elements, Error> {
        let lanes = terms.define("LANES")?.max(1) as usize;
        let (group, rows) = (terms.invocations(), terms.define("ROWS")? as usize);
        Ok(Elements {
            elements: Rows::new(terms)?,
            warps: Warps::new(terms.lanes(), lanes),
            count: group / lanes,
            rows,
            striped: terms.is_on("STRIPED"),
            size: group * rows,
            first_tile: terms.int("u_first")? as usize,
        })
    }

    /// The index of an element among those that are bound.
    fn index(&self, tile: usize, invocation: usize, row: usize) -> usize {
        let (lanes, lane) = (self.warps.lanes, self.warps.lane(invocation));
        let first = (tile * self.count + self.warps.warp(invocation)) * lanes * self.rows;
        first + if self.striped { row * lanes + lane } else { lane * self.rows + row }
    }

    /// Writes the tile's kept elements from `place` on.
    fn move_tile(&self, group: &mut Group<'_>, held: &Held, tile: usize, place: usize) {
        let mut places: Vec<usize> = held.first.iter().map(|first| place + first).collect();
        for row in 0..self.rows {
            let keeps: Vec<bool> = held.kept.iter().map(|kept| kept >> row & 1 != 0).collect();
            // In the row those that all lanes keep, and those before each.
            let counts: Vec<(usize, usize)> = match self.striped {
                true => self.warps.count_where(&keeps),
                false => keeps.iter().map(|keeps| (usize::from(*keeps), 0)).collect(),
            };
            group.each(|at| {
                let n = at.number;
                let (all, before) = counts[n];
                if keeps[n] {
                    let index = self.first_tile * self.size + self.index(tile, n, row);
                    self.elements.move_kept(at, &held.rows[n][row], 1, places[n] + before, index);
                }
                places[n] += all;
            });
        }
    }
}

impl Tiles for Elements {
    type Held = Held;

    fn held(&self, group: &Group<'_>) -> Held {
        let nothing = vec![Item::of(&[]); self.rows];
        Held {
            rows: vec![nothing; group.size],
            kept: vec![0; group.size],
            first: vec![0; group.size],
            totals: vec![0; self.count],
        }
    }

    fn load(&self, group: &mut Group<'_>, held: &mut Held, tile: usize) {
        group.each(|at| {
            let n = at.number;
            held.kept[n] = 0;
            for row in 0..self.rows {
                let index = self.index(tile, n, row);
                let words = self.elements.row(at, index);
                held.kept[n] |= self.elements.kept(at, &words, index) << row;
                held.rows[n][row] = words;
            }
        });
    }

    fn scan(&self, group: &mut Group<'_>, held: &mut Held) {
        let (warps, lanes) = (self.warps, self.warps.lanes);
        let own: Vec<Item> = held.kept.iter().map(|kept| Item::of(&[kept.count_ones()])).collect();
        if self.striped {
            held.first.fill(0);
            let of_warp = |own: &[Item]| own.iter().map(|own| own.words()[0]).sum();
            held.totals = own.chunks(lanes).map(of_warp).collect();
        } else {
            let steps = LaneSteps { words: 1, first: 1, among: lanes };
            let sums = warps.prefixes(group, own.clone(), steps, |at, left, own| self.add(at, left, own));
            let kept = |item: &Item| item.words()[0] as usize;
            held.first = sums.iter().zip(&own).map(|(sum, own)| kept(sum) - kept(own)).collect();
            let totals = warps.at(group, &sums, 1, |_| lanes as i32 - 1);
            held.totals = totals.iter().step_by(lanes).map(|total| total.words()[0]).collect();
        }
        group.barrier();
        for (n, first) in held.first.iter_mut().enumerate() {
            *first += held.totals[..warps.warp(n)].iter().sum::<u32>() as usize;
        }
    }

    fn total(&self, _: &mut Invocation<'_>, held: &Held, _: usize) -> Item {
        Item::of(&[held.totals.iter().sum()])
    }

    fn none(&self) -> Item {
        Item::of(&[0])
    }

    fn add(&self, _: &mut Invocation<'_>, left: &Item, right: &Item) -> Item {
        Item::of(&[left.words()[0].wrapping_add(right.words()[0])])
    }

    fn words(&self) -> usize {
        1
    }

    fn tuple(&self) -> usize {
        1
    }

    fn warps(&self) -> Warps {
        self.warps
    }

    fn warp_rows(&self) -> Option<WarpRows> {
        None
    }
}
