//! adinets2022: the radix sort with one sweep a digit, whose tiles look back for the counts of earlier ones.
//! `glsl/sort/onesweep/`.

use super::tile::{Digits, Moves, Tile, begins};
use crate::scan::states::{States, Use};
use crate::{Error, Group, GroupKernel, Item, Terms};

/// How many keys of the stream have each digit, at every place.
pub fn counts(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (digits, places) = (Digits::new(terms)?, terms.define("PLACES")? as usize);
    let (keys, counts) = (terms.binding("KEYS")?, terms.binding("COUNTS")?);
    let (len, rows) = (terms.int("u_len")? as usize, terms.int("u_rows")? as usize);
    Ok(Box::new(move |group| {
        let (size, first) = (group.size, group.index as usize * rows * group.size);
        let mut own = vec![0; places * digits.count()];
        group.each(|at| {
            for index in (first + at.number..len).step_by(size).take(rows) {
                let key = at.read(keys, index, 1).words()[0];
                for place in 0..places {
                    own[place * digits.count() + digits.of(key, place)] += 1;
                }
            }
        });
        group.barrier();
        group.each(|at| {
            for number in (at.number..own.len()).step_by(size) {
                at.note(counts, number, 1, true);
                at.exchange(counts, number, |count| count + own[number]);
            }
        });
    }))
}

/// The status of the sums of a tile, and that of its prefixes, by the place of the digits.
struct Statuses {
    run: u32,
    places: u32,
}

impl Statuses {
    fn new(terms: &Terms<'_>) -> Result<Statuses, Error> {
        Ok(Statuses { run: terms.run() as u32, places: terms.define("PLACES")? as u32 })
    }

    fn aggregate(&self, place: usize) -> u32 {
        (self.run * self.places + place as u32) << 2 | 1
    }

    fn prefix(&self, place: usize) -> u32 {
        (self.run * self.places + place as u32) << 2 | 2
    }
}

/// Where the keys with each digit begin, at every place.
pub fn starts(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (digits, counts) = (Digits::new(terms)?, terms.binding("COUNTS")?);
    let (states, statuses) = (States::new(terms, 1)?, Statuses::new(terms)?);
    Ok(Box::new(move |group| {
        let place = group.index as usize;
        let first = place * digits.count();
        let mut own = vec![0; digits.count()];
        group.each(|at| {
            for digit in digits.own(at) {
                own[digit] = at.read(counts, first + digit, 1).words()[0];
                at.write(counts, first + digit, &Item::of(&[0]), 1);
            }
        });
        group.barrier();
        let begins = begins(&own);
        group.each(|at| {
            for digit in digits.own(at) {
                let begin = Item::of(&[begins[digit]]);
                states.publish(at, place, first + digit, statuses.prefix(place), &begin);
            }
        });
    }))
}

/// A sweep over the tiles.
struct Sweep {
    tile: Tile,
    states: States,
    /// The number of the first tile: before it are the starts of all places.
    first: usize,
    aggregate: u32,
    prefix: u32,
}

impl Sweep {
    /// For each digit, where the keys of a tile begin.
    fn look_back(&self, group: &mut Group<'_>, tile: usize) -> Vec<u32> {
        let count = self.tile.digits.count();
        let none = Item::of(&[0]);
        let mut before = vec![0u32; count];
        let mut done = vec![false; count];
        for wanted in (self.first - 1..tile).rev() {
            let others = if wanted < self.first { self.tile.place } else { wanted };
            let of = Use { tile, may_miss: wanted >= self.first, polls_together: true };
            let mut found: Vec<Option<(u32, Item)>> = vec![None; count];
            group.each(|at| {
                for digit in self.tile.digits.own(at).filter(|digit| !done[*digit]) {
                    let accepted = [self.aggregate, self.prefix];
                    let look = self.states.look(at, of, &[others * count + digit], &accepted);
                    found[digit] = look.map(|(status, sums)| (status, sums[0]));
                }
            });
            group.barrier();
            let is_missing = (0..count).any(|digit| !done[digit] && found[digit].is_none());
            let counted = match (is_missing, wanted.checked_sub(self.first)) {
                (false, _) => None,
                (true, Some(wanted)) => {
                    let keys = self.tile.keys(group, wanted);
                    group.barrier();
                    Some(self.tile.counts(&keys))
                }
                (true, None) => {
                    group.fail(|| "does not find where digits begin".into());
                    return before;
                }
            };
            group.each(|at| {
                for digit in self.tile.digits.own(at).filter(|digit| !done[*digit]) {
                    let number = others * count + digit;
                    match (&counted, &found[digit]) {
                        (Some(counted), _) => {
                            self.states.missing(at, tile, number, 0, &none);
                            before[digit] = before[digit].wrapping_add(counted[digit]);
                        }
                        (None, Some((status, sum))) => {
                            self.states.combined(at, tile, number, *status, sum);
                            before[digit] = before[digit].wrapping_add(sum.words()[0]);
                        }
                        (None, None) => {}
                    }
                }
            });
            if counted.is_none() {
                for (done, found) in done.iter_mut().zip(&found) {
                    *done |= found.is_some_and(|(status, _)| status == self.prefix);
                }
            }
            if done.iter().all(|done| *done) {
                return before;
            }
        }
        before
    }
}

/// A tile finds where its keys with each digit begin, and moves them there.
pub fn sort(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let (tile, moves, statuses) = (Tile::new(terms)?, Moves::new(terms)?, Statuses::new(terms)?);
    let (states, first, groups) = (States::new(terms, 1)?, terms.int("u_first")? as usize, terms.groups());
    let (aggregate, prefix) = (statuses.aggregate(tile.place), statuses.prefix(tile.place));
    let sweep = Sweep { tile, states, first, aggregate, prefix };
    Ok(Box::new(move |group| {
        let ticket = sweep.states.take_ticket(&mut group.invocation(0));
        group.barrier();
        let Some(ticket) = usize::try_from(ticket).ok().filter(|_| ticket < groups) else { return };
        let (tile, number) = (&sweep.tile, sweep.first + ticket);
        let keys = tile.keys(group, ticket);
        group.barrier();
        let counts = tile.padded_counts(&keys);
        let publish = |group: &mut Group<'_>, status: u32, sums: &[u32]| {
            group.each(|at| {
                for digit in tile.digits.own(at) {
                    let state = number * tile.digits.count() + digit;
                    sweep.states.publish(at, number, state, status, &Item::of(&[sums[digit]]));
                }
            });
        };
        publish(group, sweep.aggregate, &counts);
        group.barrier();
        let before = sweep.look_back(group, number);
        let sums: Vec<u32> = before.iter().zip(&counts).map(|(a, b)| a.wrapping_add(*b)).collect();
        publish(group, sweep.prefix, &sums);
        group.barrier();
        moves.run(group, tile, ticket, &keys, &before);
    }))
}
