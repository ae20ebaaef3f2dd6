//! Where scans begin anew in the tiles of a split stream (`SPLIT`): by a bit for each item (`FLAGGED`), or every so many
//! items. And rows of whole pieces of warps (`WARP_ROWS`), which need no flags.

use crate::{Binding, Error, Group, Invocation, Terms, Warps};

/// The scans that a split stream holds, and where they begin.
#[derive(Clone, Copy)]
pub struct Splits {
    beginnings: Beginnings,
    /// The index of the first item that is bound.
    first_item: usize,
    /// Items that are bound.
    len: usize,
}

#[derive(Clone, Copy)]
enum Beginnings {
    Every(usize),
    Flags(Binding),
}

impl Splits {
    /// The scans of a pass; `None` if there is one.
    pub fn new(terms: &Terms<'_>) -> Result<Option<Splits>, Error> {
        if !terms.is_on("SPLIT") {
            return Ok(None);
        }
        let beginnings = match terms.is_on("FLAGGED") {
            true => Beginnings::Flags(terms.binding("FLAGS")?),
            false => Beginnings::Every(terms.int("u_width")?.max(1) as usize),
        };
        let first_item = terms.int("u_first_item")? as usize;
        Ok(Some(Splits { beginnings, first_item, len: terms.int("u_len")? as usize }))
    }

    /// The flags of `count` adjacent items, those of the first in the lowest bit: `load_heads`.
    pub fn of_items(&self, at: &mut Invocation<'_>, first: usize, count: usize) -> u32 {
        let flags = match self.beginnings {
            Beginnings::Every(width) => {
                let begins = |i: &usize| (self.first_item + first + i).is_multiple_of(width);
                return (0..count).filter(begins).map(|i| 1 << i).sum();
            }
            Beginnings::Flags(flags) => flags,
        };
        let bit = (self.first_item + first) % 32;
        let mut heads = self.word_with(at, flags, first) >> bit;
        if bit + count > 32 {
            heads |= self.word_with(at, flags, first + 32 - bit) << (32 - bit);
        }
        heads & bits(count)
    }

    /// The flags of the rows of all invocations, of `vector` items each: `load_heads_of_tile`. `first` is the first item of an
    /// invocation's row.
    ///
    /// If a warp's flags are whole words, and no more than it has lanes, each lane loads one, and they exchange them.
    pub fn of_rows(
        &self,
        group: &mut Group<'_>,
        warps: Warps,
        rows: usize,
        vector: usize,
        first: impl Fn(usize, usize) -> usize,
    ) -> Vec<Vec<u32>> {
        let piece = rows * warps.lanes * vector;
        let words = piece / 32;
        let shared = warps.lanes > 1 && piece.is_multiple_of(32) && 32 % vector == 0 && words <= warps.lanes;
        let flags = match self.beginnings {
            Beginnings::Flags(flags) if shared => flags,
            _ => {
                let row = |at: &mut Invocation<'_>, row| {
                    let first = first(at.number, row);
                    self.of_items(at, first, vector)
                };
                return group.map(|at| (0..rows).map(|number| row(at, number)).collect());
            }
        };
        let own = group.map(|at| {
            let lane = warps.lane(at.number);
            let of_warp = first(at.number - lane, 0);
            if lane < words { self.word_with(at, flags, of_warp + 32 * lane) } else { 0 }
        });
        let mut heads = vec![Vec::new(); own.len()];
        for row in 0..rows {
            let item = |number: usize| (row * warps.lanes + warps.lane(number)) * vector;
            let there = warps.word_at(group, &own, |number| (item(number) / 32).min(warps.lanes - 1) as i32);
            for (number, word) in there.into_iter().enumerate() {
                heads[number].push(word >> (item(number) % 32) & bits(vector));
            }
        }
        heads
    }

    /// The word with an item's flag; 0 past the end of the stream.
    fn word_with(&self, at: &mut Invocation<'_>, flags: Binding, item: usize) -> u32 {
        if item >= self.len {
            return 0;
        }
        at.read(flags, (self.first_item + item) / 32, 1).bits()[0]
    }
}

fn bits(count: usize) -> u32 {
    u32::MAX.checked_shr(32 - count as u32).unwrap_or(0)
}

/// Rows of whole pieces of warps: only the sums of warps take heed of them.
#[derive(Clone, Copy)]
pub struct WarpRows {
    /// Pieces in a row.
    in_row: usize,
    /// The place of the first piece that is bound in its row.
    first: usize,
}

impl WarpRows {
    /// The rows of a pass, if it has such.
    pub fn new(terms: &Terms<'_>) -> Result<Option<WarpRows>, Error> {
        if !terms.has("WARP_ROWS") {
            return Ok(None);
        }
        let (in_row, first) = (terms.int("u_row_warps")?.max(1), terms.int("u_first_warp")?);
        Ok(Some(WarpRows { in_row: in_row as usize, first: first as usize }))
    }

    /// Whether a row begins with a piece that is bound.
    pub fn begins_at(&self, piece: usize) -> bool {
        (self.first + piece).is_multiple_of(self.in_row)
    }

    /// Of pieces counted from the first that is bound in any part: the one with which the row begins that reaches into
    /// this one.
    pub fn beginning(&self, piece: usize) -> usize {
        piece - piece % self.in_row
    }

    /// Whether a row begins with one of the pieces from `first` to `piece`.
    pub fn begins_within(&self, first: usize, piece: usize) -> bool {
        (first..=piece).any(|piece| self.begins_at(piece))
    }
}
