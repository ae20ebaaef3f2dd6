//! Schedules: the states of others that the tiles of a single pass find.
//!
//! On a GPU timing decides whether a tile finds another's sum, its prefix, or nothing. Here the groups run in the order of
//! their tickets, so that every earlier tile is complete when a tile looks back, and a [`Schedule`] decides which of the
//! states that the earlier tile has published is seen. A tile may be missing although it is complete, as if it were late.

use std::collections::HashMap;

use rasterscan::plan::{Command, Uniform};
use rasterscan::tools::random;
use rasterscan::trace::{Reads, StateAccess, StateAct, Step};

use crate::Item;

/// The states that tiles find of those that others have published.
#[derive(Debug, Clone, Default)]
pub enum Schedule {
    /// The newest state, as where one group runs after the other.
    #[default]
    InOrder,
    /// Nothing: every tile is late.
    Withheld,
    /// The oldest state, so sums of tiles and no prefixes that come after them.
    Oldest,
    /// One state between two barriers: the first that the group looks at.
    OneAtATime,
    /// Any state or none, by a seed; and groups begin late.
    Random(u64),
    /// Those that they have found in a recording.
    Replay(Replay),
}

/// The states that the tiles of a recorded pass have found, and which group took which tile.
#[derive(Debug, Clone)]
pub struct Replay {
    found: HashMap<(u32, u32), Vec<StateAccess>>,
    /// For each group, the tickets that it got, and whether it asked for any.
    tickets: Vec<(Vec<i32>, bool)>,
}

impl Schedule {
    /// Schedules other than in order, which try what a GPU may do.
    pub fn adversarial(seeds: impl IntoIterator<Item = u64>) -> Vec<Schedule> {
        let mut all = vec![Schedule::Withheld, Schedule::Oldest, Schedule::OneAtATime];
        all.extend(seeds.into_iter().map(Schedule::Random));
        all
    }

    /// The schedule of a recorded step: its groups get the tiles that they got, and find what they found. `None` if no
    /// states are recorded.
    pub fn of(step: &Step) -> Option<Schedule> {
        let Command::Dispatch(dispatch) = &step.pass.command else { return None };
        // Groups that take turns get the same tiles always.
        let groups = if dispatch.turns.is_some() { 0 } else { dispatch.groups as usize };
        let first = dispatch.uniforms.iter().find(|(name, _)| *name == "u_first");
        let first = first.map_or(0, |(_, value)| if let Uniform::Int(first) = value { *first } else { 0 });
        let writes = step.recorded.writes.as_ref()?;
        Schedule::replay(&step.recorded.states, writes, groups, dispatch.invocations, first)
    }

    /// The same from the parts of a recording: the states, the writes, groups and invocations of each, the first tile.
    pub(crate) fn replay(
        states: &[StateAccess],
        writes: &Reads,
        groups: usize,
        size: u32,
        first: i32,
    ) -> Option<Schedule> {
        let mut found: HashMap<(u32, u32), Vec<StateAccess>> = HashMap::new();
        for state in states.iter().filter(|state| state.act != StateAct::Published) {
            found.entry((state.tile, state.index)).or_default().push(*state);
        }
        let asked = |group: usize| writes.of(group * size as usize).is_some();
        let mut tickets: Vec<(Vec<i32>, bool)> =
            (0..groups).map(|group| (Vec::new(), asked(group))).collect();
        for state in states {
            let ticket = state.tile as i32 - first;
            if let Some((own, _)) = tickets.get_mut((state.invocation / size) as usize)
                && !own.contains(&ticket)
            {
                own.push(ticket);
            }
        }
        for (own, _) in &mut tickets {
            // The next one is taken from the end.
            own.sort_unstable_by(|a, b| b.cmp(a));
        }
        (!states.is_empty()).then_some(Schedule::Replay(Replay { found, tickets }))
    }
}

/// A state that was published.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Published {
    pub status: u32,
    pub sum: Item,
}

/// A look at the states of another tile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    /// The tile that looks.
    pub tile: u32,
    /// The index of the first word of the first state in its buffer.
    pub index: u32,
    /// The barriers passed; `None` if the polls before it pass any number.
    pub epoch: Option<u32>,
    /// Whether the other tile may be late: not if it is of an earlier pass.
    pub may_miss: bool,
}

/// The states that were published so far, and what is seen of them.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    schedule: Schedule,
    /// By slot and index, the oldest first.
    published: HashMap<(usize, u32), Vec<Published>>,
    looks: u64,
    /// The tile and epoch of the last state that was found one at a time.
    last: Option<(u32, Option<u32>)>,
}

impl Watch {
    pub fn set(&mut self, schedule: Schedule) {
        self.schedule = schedule;
    }

    /// Forgets what was published.
    pub fn clear(&mut self) {
        self.published.clear();
    }

    pub fn publish(&mut self, slot: usize, index: u32, published: Published) {
        self.published.entry((slot, index)).or_default().push(published);
    }

    /// The sum that was published at an index with a status.
    pub fn sum(&self, slot: usize, index: u32, status: u32) -> Option<Item> {
        let all = self.published.get(&(slot, index))?;
        all.iter().rev().find(|published| published.status == status).map(|published| published.sum)
    }

    /// Which of the accepted statuses is seen, of those that were published there, the oldest first. The last one is in
    /// memory if `shown`. An error is that a replay sees what was not published.
    pub fn sees(
        &mut self,
        look: Look,
        accepted: &[u32],
        published: &[u32],
        shown: Option<u32>,
    ) -> Result<Option<u32>, u32> {
        self.looks += 1;
        let newest = published.last().copied();
        if !look.may_miss {
            return Ok(shown.or(newest));
        }
        Ok(match &self.schedule {
            Schedule::InOrder => shown,
            Schedule::Withheld => None,
            Schedule::Oldest => published.first().copied(),
            Schedule::OneAtATime => {
                let this = Some((look.tile, look.epoch));
                let first = self.last != this;
                self.last = this;
                newest.filter(|_| first)
            }
            Schedule::Random(seed) => {
                let choice = draw(*seed, self.looks) as usize % (published.len() + 1);
                published.get(choice).copied()
            }
            Schedule::Replay(replay) => match replay.found(&look, accepted) {
                Some(status) if !published.contains(&status) => return Err(status),
                found => found,
            },
        })
    }

    /// The groups of a dispatch in the order in which they begin.
    pub fn order(&self, groups: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..groups).collect();
        if let Schedule::Replay(replay) = &self.schedule {
            let first = |group: &usize| replay.tickets.get(*group).and_then(|(own, _)| own.last().copied());
            order.sort_by_key(|group| first(group).unwrap_or(i32::MAX));
        }
        order
    }

    /// Whether the next group begins before those that pause go on.
    pub fn begins(&mut self) -> bool {
        self.looks += 1;
        match self.schedule {
            Schedule::Random(seed) => draw(seed, self.looks).is_multiple_of(2),
            _ => true,
        }
    }

    /// The ticket of a group that takes `next`: another one in a replay.
    pub fn ticket(&mut self, group: i32, next: i32) -> i32 {
        let Schedule::Replay(replay) = &mut self.schedule else { return next };
        replay.tickets.get_mut(group as usize).map_or(next, |(own, _)| own.pop().unwrap_or(i32::MAX))
    }

    /// Whether a group asks for no ticket, since it begins late; `late` if this is no replay.
    pub fn is_late(&self, group: i32, late: bool) -> bool {
        match &self.schedule {
            Schedule::Replay(replay) => !replay.tickets.get(group as usize).is_some_and(|(_, asked)| *asked),
            _ => late,
        }
    }
}

impl Replay {
    /// The status that a look has found. A tile may look at the same place for several others at once: each accepts its own.
    fn found(&self, look: &Look, accepted: &[u32]) -> Option<u32> {
        let all = self.found.get(&(look.tile, look.index))?;
        let at_once = |state: &&StateAccess| look.epoch.is_none_or(|epoch| epoch == state.epoch);
        let mut looks = all.iter().filter(at_once).filter(|state| accepted.contains(&state.status()));
        looks.find(|state| state.act == StateAct::Combined).map(StateAccess::status)
    }
}

/// The number of a seed for a look.
fn draw(seed: u64, look: u64) -> u64 {
    random::bits(seed.wrapping_add(look << 20)).next().unwrap_or(0) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A group that is far behind looks at one slot of a ring for several chunks, without a barrier between.
    #[test]
    fn a_look_finds_what_it_accepts() {
        let used = |act, status: u32| StateAccess {
            invocation: 4,
            epoch: 7,
            number: 0,
            tile: 21,
            source: 1,
            index: 5,
            words: [status; 2],
            act,
        };
        let missed_and_found = [used(StateAct::Missing, 1), used(StateAct::Combined, 2)];
        let found_and_missed = [used(StateAct::Combined, 1), used(StateAct::Missing, 2)];
        for (states, expected) in
            [(missed_and_found, [None, Some(2), None]), (found_and_missed, [Some(1), None, None])]
        {
            let replay = Replay { found: HashMap::from([((21, 5), states.to_vec())]), tickets: Vec::new() };
            let look = |epoch| Look { tile: 21, index: 5, epoch, may_miss: true };
            for epoch in [Some(7), None] {
                assert_eq!([1, 2, 3].map(|status| replay.found(&look(epoch), &[status])), expected);
            }
            assert_eq!(replay.found(&look(Some(8)), &[1, 2]), None);
        }
    }
}
