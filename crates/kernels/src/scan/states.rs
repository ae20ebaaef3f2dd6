//! The states that tiles publish, for others to read at any time: a status and a sum. `glsl/scan/common/states.glsl`.
//!
//! A word is published in two halves, each with the status beside it.

use rasterscan::trace::{StateAccess, StateAct};

use crate::schedule::{Look, Published};
use crate::{Binding, Error, Invocation, Item, Terms};

/// The states of a pass.
#[derive(Clone, Copy)]
pub struct States {
    binding: Binding,
    /// The tickets in front of the states: `TICKETS`.
    tickets: usize,
    /// The place of the tickets of every other run.
    spare: usize,
    /// The part of the stream that is bound.
    part: usize,
    run: i32,
    /// Words of a sum.
    words: usize,
}

/// A use of the states of a tile by another.
#[derive(Clone, Copy)]
pub struct Use {
    /// The tile that the group works on.
    pub tile: usize,
    /// Whether the other tile may be late: not if it is of an earlier part.
    pub may_miss: bool,
    /// Whether the group passes barriers while it polls.
    pub polls_together: bool,
}

/// The two words of a word with its status.
fn halves(word: u32, status: u32) -> [u32; 2] {
    [word << 16 | status, word & 0xFFFF_0000 | status]
}

impl States {
    /// The states of a pass, of sums of so many words.
    pub fn new(terms: &Terms<'_>, words: usize) -> Result<States, Error> {
        Ok(States {
            binding: terms.binding("STATES")?,
            tickets: terms.define("TICKETS")? as usize,
            spare: if terms.is_on("TICKETS") { terms.int("u_spare_tickets")? as usize } else { 0 },
            // A pass that only publishes takes no tickets.
            part: terms.int("u_part").unwrap_or(0) as usize,
            run: terms.run(),
            words,
        })
    }

    /// Whether groups take tickets for their tiles, rather than the tiles of their own numbers.
    pub fn has_tickets(&self) -> bool {
        self.tickets > 0
    }

    /// The place of the tickets of a run.
    fn ticket_at(&self, run: i32) -> usize {
        self.part + if run % 2 == 0 { 0 } else { self.spare }
    }

    /// The next tile of the part, in the order in which groups ask.
    pub fn take_ticket(&self, at: &mut Invocation<'_>) -> i32 {
        let place = self.ticket_at(self.run);
        at.list(self.binding, place, 2, true);
        let ticket = at.exchange(self.binding, 2 * place, |ticket| ticket + 1) as i32;
        if ticket == 0 {
            // The next run begins to count at 0.
            at.exchange(self.binding, 2 * self.ticket_at(self.run + 1), |_| 0);
        }
        let group = at.group;
        at.watch.ticket(group, ticket)
    }

    /// Whether more than so many tickets are taken when a group begins, which then takes none.
    pub fn is_late(&self, at: &Invocation<'_>, limit: u32) -> bool {
        let late = at.peek(self.binding, 2 * self.ticket_at(self.run)) > limit;
        at.watch.is_late(at.group, late)
    }

    /// Publishes the sum with a number, counted from 0.
    pub fn publish(&self, at: &mut Invocation<'_>, tile: usize, number: usize, status: u32, sum: &Item) {
        at.note_depth(sum);
        for word in 0..self.words {
            let halves = Item::of(&halves(sum.words()[word], status));
            at.write(self.binding, self.place(number) + word, &halves, 2);
        }
        let index = self.place(number) as u32;
        at.watch.publish(self.binding.slot, index, Published { status, sum: *sum });
        self.note(at, tile, number, StateAct::Published, status, sum);
    }

    /// Looks at the states with these numbers, which a tile publishes together. Returns their status, one of `accepted`,
    /// and the sums; `None` if they are missing.
    pub fn look(
        &self,
        at: &mut Invocation<'_>,
        of: Use,
        numbers: &[usize],
        accepted: &[u32],
    ) -> Option<(u32, Vec<Item>)> {
        let slot = self.binding.slot;
        let stored = |at: &Invocation<'_>, number: usize| self.stored(at, number);
        let first = *numbers.first()?;
        let shown = stored(at, first).map(|(status, _)| status).filter(|status| accepted.contains(status));
        let sum = |at: &Invocation<'_>, number: usize, status: u32| {
            let shown = stored(at, number).filter(|(shown, _)| *shown == status).map(|(_, sum)| sum);
            at.watch.sum(slot, self.place(number) as u32, status).or(shown)
        };
        let published: Vec<u32> =
            accepted.iter().copied().filter(|status| sum(at, first, *status).is_some()).collect();
        let epoch = (!of.polls_together).then_some(at.epoch);
        let (tile, index) = (of.tile as u32, self.place(first) as u32);
        let look = Look { tile, index, epoch, may_miss: of.may_miss };
        let status = match at.watch.sees(look, accepted, &published, shown) {
            Ok(found) => found?,
            Err(status) => {
                at.fail(|| {
                    format!("tile {tile} finds status {status} in state {first}, which is not published")
                });
                return None;
            }
        };
        let sums: Option<Vec<Item>> = numbers.iter().map(|number| sum(at, *number, status)).collect();
        if sums.is_none() {
            at.fail(|| format!("tile {tile} finds part of the states from {first} on with status {status}"));
        }
        for number in numbers {
            (0..self.words).for_each(|word| at.list(self.binding, self.place(*number) + word, 2, false));
        }
        sums.map(|sums| (status, sums))
    }

    /// Notes that a sum was found and counts.
    pub fn combined(&self, at: &mut Invocation<'_>, tile: usize, number: usize, status: u32, sum: &Item) {
        let first = self.binding.first * self.binding.item_words + 2 * self.place(number);
        at.count_reads(self.binding.slot, first..first + 2 * self.words);
        self.note(at, tile, number, StateAct::Combined, status, sum);
    }

    /// Notes that a sum is missing, so that the group computes it. `status` is the one that alone was accepted, or 0;
    /// `none` is the sum of nothing.
    pub fn missing(&self, at: &mut Invocation<'_>, tile: usize, number: usize, status: u32, none: &Item) {
        self.note(at, tile, number, StateAct::Missing, status, none);
    }

    fn place(&self, number: usize) -> usize {
        self.tickets + number * self.words
    }

    /// Status and sum as memory shows them.
    fn stored(&self, at: &Invocation<'_>, number: usize) -> Option<(u32, Item)> {
        let mut sum = Item::of(&[]);
        let mut statuses = Vec::new();
        for word in 0..self.words {
            let place = 2 * (self.place(number) + word);
            let [low, high] = [place, place + 1].map(|place| at.peek(self.binding, place));
            statuses.extend([low & 0xFFFF, high & 0xFFFF]);
            sum.set(word, low >> 16 | high & 0xFFFF_0000);
        }
        let status = *statuses.first()?;
        (status != 0 && statuses.iter().all(|other| *other == status)).then_some((status, sum))
    }

    fn note(
        &self,
        at: &mut Invocation<'_>,
        tile: usize,
        number: usize,
        act: StateAct,
        status: u32,
        sum: &Item,
    ) {
        for word in 0..self.words {
            let access = StateAccess {
                invocation: at.id as u32,
                epoch: at.epoch,
                number: at.next_access(0),
                tile: tile as u32,
                source: self.binding.number,
                index: (self.place(number) + word) as u32,
                words: halves(sum.words()[word], status),
                act,
            };
            if at.log.lists {
                at.log.states.push(access);
            }
        }
    }
}
