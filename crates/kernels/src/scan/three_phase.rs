//! maleki2016, section 4.2: tiles are scanned and written, and later read again to add the sum before them.
//! `glsl/scan/three_phase/`.

use super::tile::Tile;
use crate::{Error, GroupKernel, Item, Terms};

/// The first phase: each tile is scanned on its own, and its sum stored.
pub fn scan(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let tile = Tile::new(terms)?;
    let sums = terms.binding("SUMS")?;
    let first = terms.int("u_first")? as usize;
    Ok(Box::new(move |group| {
        let number = group.index as usize;
        let mut held = tile.held(group);
        tile.load(group, &mut held, number);
        tile.scan(group, &mut held);
        let before = vec![tile.identities(); group.size];
        tile.store(group, &mut held, number, &before);
        group.each(|at| {
            for m in tile.share_of(at) {
                let total = tile.total(at, &held, m);
                at.write_item(sums, (first + number) * tile.tuple + m, &total, tile.operation.words);
            }
        });
    }))
}

/// The third phase: the sum of all tiles before it is combined in front of each item of a tile.
pub fn add(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let tile = Tile::new(terms)?;
    let sums = terms.binding("SUMS")?;
    let first = terms.int("u_first")? as usize;
    let split = terms.is_on("SPLIT");
    let words = tile.operation.words;
    Ok(Box::new(move |group| {
        let number = group.index as usize;
        let mut held = tile.held(group);
        tile.load(group, &mut held, number);
        let before: Vec<Vec<Item>> = group.map(|at| match first + number {
            0 => tile.identities(),
            behind => {
                let members = tile.members_of(at.number);
                members.map(|m| at.read_item(sums, (behind - 1) * tile.tuple + m, words)).collect()
            }
        });
        // A scan of flags says where a scan has begun in the tile: what comes before it does not count from there on.
        let scanned = held.rows.clone();
        if split {
            tile.scan(group, &mut held);
        }
        group.each(|at| {
            let n = at.number;
            for (row, scanned) in held.rows[n].iter_mut().zip(&scanned[n]) {
                let begun = split && tile.operation.is_head(&row.before[0]);
                for (i, item) in scanned.items.iter().enumerate() {
                    row.items[i] = match begun || row.begins_up_to(i) {
                        true => *item,
                        false => tile.combine_values(at, &before[n][i % tile.members], item),
                    };
                }
            }
        });
        tile.put(group, &mut held, number);
    }))
}
