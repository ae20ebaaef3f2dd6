//! maleki2016, section 2.1: reduce, then scan: the first pass over the stream only reads it. `glsl/scan/reduce_then_scan/`.

mod columns;
mod linear;

pub use columns::{columns_reduce, columns_scan};
pub use linear::{linear_reduce, linear_scan};

use super::tile::{Held, Tile};
use crate::{Binding, Error, Group, GroupKernel, Invocation, Item, Terms};

/// The sums of tiles, one after the other.
#[derive(Clone, Copy)]
struct Sums {
    binding: Binding,
    /// The number of the first tile in the whole stream.
    first: usize,
    /// Items for each tile: members of a tuple, or those of a state.
    each: usize,
    words: usize,
    /// Whether they are those before each tile, not up to it.
    carried: bool,
}

impl Sums {
    fn new(terms: &Terms<'_>, each: usize) -> Result<Sums, Error> {
        Ok(Sums {
            binding: terms.binding("SUMS")?,
            first: terms.int("u_first")? as usize,
            each,
            words: terms.operation().words,
            carried: terms.has("CARRIED"),
        })
    }

    fn put(&self, at: &mut Invocation<'_>, tile: usize, item: usize, sum: &Item) {
        at.write_item(self.binding, (self.first + tile) * self.each + item, sum, self.words);
    }

    /// These items of what comes before a tile.
    fn before(&self, at: &mut Invocation<'_>, tile: usize, items: std::ops::Range<usize>) -> Vec<Item> {
        let tile = if self.carried { Some(self.first + tile) } else { (self.first + tile).checked_sub(1) };
        items
            .map(|item| match tile {
                Some(tile) => at.read_item(self.binding, tile * self.each + item, self.words),
                None => at.identity(),
            })
            .collect()
    }
}

/// The sum of each tile. Nothing else is written.
pub fn reduce(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let tile = Tile::new(terms)?;
    let sums = Sums::new(terms, tile.tuple)?;
    let totalled = terms.has("TOTALLED");
    let commutes = terms.is_on("COMMUTES");
    let (members, vector) = (tile.members, tile.vector);
    Ok(Box::new(move |group| {
        let number = group.index as usize;
        let mut held = tile.held(group);
        tile.load(group, &mut held, number);
        if totalled {
            // The last tile's sum is needed too.
            for (invocation, rows) in held.rows.iter_mut().enumerate() {
                for (row, of_row) in rows.iter_mut().enumerate() {
                    tile.end(of_row, tile.vector_of(number, invocation, row));
                }
            }
        }
        for m in 0..members {
            let mut all = vec![tile.operation.identity(); group.size];
            for row in 0..tile.rows {
                let mut of_row = group.map(|at| {
                    let row = &held.rows[at.number][row];
                    let others = (m + tile.tuple..vector).step_by(tile.tuple);
                    others.fold(tile.item(row, m), |sum, i| at.combine(&sum, &tile.item(row, i)))
                });
                // If the order does not matter, lanes are combined once; else row by row.
                if !commutes {
                    of_row = tile.totals.of_lanes(group, of_row, tile.distance, tile.width);
                }
                group.each(|at| {
                    let n = at.number;
                    all[n] = at.combine(&all[n], &of_row[n]);
                });
            }
            if commutes {
                all = tile.totals.of_lanes(group, all, tile.distance, tile.width);
            }
            tile.share_totals(group, &mut held, m, &all);
        }
        group.barrier();
        put_totals(group, &tile, &held, sums);
    }))
}

fn put_totals(group: &mut Group<'_>, tile: &Tile, held: &Held, sums: Sums) {
    let number = group.index as usize;
    group.each(|at| {
        for m in tile.share_of(at) {
            let total = tile.total(at, held, m);
            sums.put(at, number, m, &total);
        }
    });
}

/// Each tile again, starting from the sum of all tiles before it.
pub fn scan(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let tile = Tile::new(terms)?;
    let sums = Sums::new(terms, tile.tuple)?;
    Ok(Box::new(move |group| {
        let number = group.index as usize;
        let mut held = tile.held(group);
        tile.load(group, &mut held, number);
        tile.scan(group, &mut held);
        let before: Vec<Vec<Item>> = group.map(|at| sums.before(at, number, tile.members_of(at.number)));
        tile.store(group, &mut held, number, &before);
    }))
}

/// On a CPU: each invocation reduces a tile of its own, item by item.
pub fn reduce_in_series(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let tile = Tile::new(terms)?;
    let sums = Sums::new(terms, tile.tuple)?;
    let tiles = terms.int("u_tiles")? as usize;
    let totalled = terms.has("TOTALLED");
    Ok(Box::new(move |group| {
        group.each(|at| {
            let number = at.id;
            if number >= tiles {
                return;
            }
            let mut of_tile = tile.identities();
            for vector in number * tile.rows..(number + 1) * tile.rows {
                let mut row = tile.load_alone(at, vector);
                if totalled {
                    tile.end(&mut row, vector);
                }
                tile.add_alone(at, &row, &mut of_tile);
            }
            for (m, sum) in of_tile.iter().enumerate() {
                sums.put(at, number, m, sum);
            }
        });
    }))
}

/// On a CPU: each invocation scans a tile of its own, item by item, from the sum of all tiles before it.
pub fn scan_in_series(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let tile = Tile::new(terms)?;
    let sums = Sums::new(terms, tile.tuple)?;
    let tiles = terms.int("u_tiles")? as usize;
    Ok(Box::new(move |group| {
        group.each(|at| {
            let number = at.id;
            if number >= tiles {
                return;
            }
            let mut before = sums.before(at, number, 0..tile.members);
            for vector in number * tile.rows..(number + 1) * tile.rows {
                let mut row = tile.load_alone(at, vector);
                tile.scan_alone(at, &mut row, &mut before);
                tile.put_vector(at, &row.items, vector);
            }
        });
    }))
}

/// The sums before each tile, beginning with a carry from before the stream.
pub fn prefixes(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let [sums, carry, target] = [terms.binding("SUMS")?, terms.binding("CARRY")?, terms.binding("PREFIXES")?];
    let (tuple, prefixes) = (terms.define("TUPLE")?.max(1) as usize, terms.int("u_prefixes")? as usize);
    let words = terms.operation().words;
    Ok(Box::new(move |group| {
        group.each(|at| {
            let place = at.id;
            if place >= prefixes {
                return;
            }
            let mut prefix = at.read_item(carry, place % tuple, words);
            if place >= tuple {
                let sum = at.read_item(sums, place - tuple, words);
                prefix = at.combine(&prefix, &sum);
            }
            at.write_item(target, place, &prefix, words);
        });
    }))
}
