//! The texels of the result: its run says which group holds a texel's first element, bits say which element that is, and the
//! others follow from bit to bit.

use super::GROUP;
use super::search::{GroupStart, Search, Start};
use crate::compact::bits::{bits_of, place_of};
use crate::compact::moves::Moves;
use crate::{Error, Fragment, FragmentKernel, Machine, Source, Terms};

/// Words of 32 elements up to which walking is cheaper than a search.
const NEAR: usize = 8;

/// The streams that a texel of the result is found by.
struct Gather {
    search: Search,
    bits: Source,
    runs: Source,
    /// Elements of the result in a run.
    run: i32,
    /// Elements in a texel.
    items: usize,
    moves: Moves,
    values: Option<Source>,
}

/// The elements of a texel of the result, as they are found.
struct Moved {
    values: Vec<u32>,
    indices: Vec<u32>,
}

/// Moves elements to their places.
pub fn gather(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let moves = Moves::new(terms);
    let gather = Gather {
        search: Search::new(terms)?,
        bits: terms.source("u_bits")?,
        runs: terms.source("u_runs")?,
        run: terms.define("RUN")?,
        items: terms.define("ITEMS")? as usize,
        moves,
        values: moves.values.then(|| terms.source("u_values")).transpose()?,
    };
    let target = terms.target();
    Ok(Box::new(move |at| {
        let rank = target.index(at.here) * gather.items as i32;
        let count = at.given("v_count")[0] as i32;
        if rank >= count {
            return at.discard();
        }
        let Some(moved) = gather.elements(at, rank, count) else {
            return at.fail(|| format!("finds no element with {rank} kept ones before it"));
        };
        if gather.moves.values {
            at.write(0, &moved.values);
        }
        if gather.moves.indices {
            at.write(usize::from(gather.moves.values), &moved.indices);
        }
    }))
}

impl Gather {
    /// The elements with `rank` kept ones before the first. `None` if bits and counts do not agree.
    fn elements(&self, at: &mut Fragment<'_>, rank: i32, count: i32) -> Option<Moved> {
        let found = self.group_at(at, rank, count);
        let bits = bits_of(&self.bits_of_group(at, found.group));
        let next = self.bits_of_group(at, found.group + 1)[0];
        let place = place_of(bits, (rank - found.before) as u32)?;
        // The 32 elements from this one on. All that are wanted are among them unless few are kept.
        let window = (bits >> place) as u32 | (u128::from(next) << (127 - place) << 1) as u32;
        let first = found.group * GROUP;
        let near = (0..32).filter(|bit| window >> bit & 1 == 1).take(self.items);
        let near: Vec<i32> = near.map(|bit| first + place as i32 + bit).collect();
        if near.len() == self.items {
            return Some(self.move_near(at, &near));
        }
        let wanted = self.items.min((count - rank) as usize);
        let mut moved = Moved { values: Vec::new(), indices: Vec::new() };
        // The word with the next element, the number of its lowest bit, and those of its bits that are left.
        let mut base = first + (place / 32 * 32) as i32;
        let mut word = (bits >> (place / 32 * 32)) as u32 & u32::MAX << (place % 32);
        for i in 0..wanted as i32 {
            for _ in 0..NEAR {
                if word != 0 {
                    break;
                }
                base += 32;
                word = self.bits_of_group(at, base / GROUP)[(base / 32 % 4) as usize];
            }
            if word == 0 {
                let found = self.group_at(at, rank + i, count);
                let bits = bits_of(&self.bits_of_group(at, found.group));
                let place = place_of(bits, (rank + i - found.before) as u32)?;
                base = found.group * GROUP + (place / 32 * 32) as i32;
                word = (bits >> (place / 32 * 32)) as u32 & u32::MAX << (place % 32);
            }
            let index = base + word.trailing_zeros() as i32;
            word &= word - 1;
            let texel = self.values_at(at, index / self.items as i32);
            self.give(&mut moved, texel, index);
        }
        Some(moved)
    }

    /// The group that holds the element with `rank` kept ones before it.
    fn group_at(&self, at: &mut Machine, rank: i32, count: i32) -> GroupStart {
        let run = rank / self.run;
        let start_of = |at: &mut Machine, run| Start::of(at.fetch(self.runs, self.runs.shape.texel(run)));
        let Start { found, count: own, far } = start_of(at, run);
        if far {
            // Few are kept: the search, up to where the next run begins.
            let mut upper = self.search.last_four(at);
            if (run + 1) * self.run < count {
                upper = start_of(at, run + 1).found.group / 4;
            }
            return self.search.group_of(at, rank, found.group / 4, upper);
        }
        match rank - found.before < own {
            true => found,
            false => GroupStart { group: found.group + 1, before: found.before + own },
        }
    }

    /// The bits of a group; none past the last one.
    fn bits_of_group(&self, at: &mut Machine, group: i32) -> [u32; 4] {
        let shape = self.bits.shape;
        if group < shape.len { at.fetch(self.bits, shape.texel(group)) } else { [0; 4] }
    }

    fn values_at(&self, at: &mut Machine, texel: i32) -> Option<[u32; 4]> {
        self.values.map(|values| at.fetch(values, values.shape.texel(texel)))
    }

    /// Moves the element at an index, which is in this texel of the stream.
    fn give(&self, moved: &mut Moved, texel: Option<[u32; 4]>, index: i32) {
        if let Some(texel) = texel {
            let words = 4 / self.items;
            let first = index as usize % self.items * words;
            moved.values.extend_from_slice(&texel[first..first + words]);
        }
        moved.indices.push(index as u32);
    }

    /// Moves elements that are near each other: most are in the first one's texel, in the next one, or in the last one's.
    fn move_near(&self, at: &mut Machine, indices: &[i32]) -> Moved {
        let texel_of = |index: &i32| index / self.items as i32;
        let (first, last) = (texel_of(&indices[0]), texel_of(&indices[indices.len() - 1]));
        let next = last.min(first + 1);
        let fetched = [first, next, last].map(|texel| (texel, self.values_at(at, texel)));
        let mut moved = Moved { values: Vec::new(), indices: Vec::new() };
        for index in indices {
            let wanted = texel_of(index);
            let there = fetched.iter().find(|(texel, _)| *texel == wanted);
            let texel = there.map_or_else(|| self.values_at(at, wanted), |(_, values)| *values);
            self.give(&mut moved, texel, *index);
        }
        moved
    }
}
