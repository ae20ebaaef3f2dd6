//! The search for the group that holds an element of the result, over the number of elements kept before each group.

use super::GROUP;
use crate::length::Length;
use crate::{Error, FragmentKernel, Machine, Source, Terms};

/// A group, and the number of elements kept before it.
#[derive(Clone, Copy)]
pub struct GroupStart {
    pub group: i32,
    pub before: i32,
}

/// The counts of elements kept before groups, four groups in a texel.
#[derive(Clone, Copy)]
pub struct Search {
    before: Source,
    length: Length,
}

impl Search {
    pub fn new(terms: &Terms<'_>) -> Result<Search, Error> {
        Ok(Search { before: terms.source("u_before")?, length: Length::new(terms)? })
    }

    fn groups(&self, at: &mut Machine) -> i32 {
        self.length.items(at, self.before.shape, GROUP)
    }

    /// The last texel of four groups.
    pub fn last_four(&self, at: &mut Machine) -> i32 {
        (self.groups(at) - 1).max(0) / 4
    }

    fn four(&self, at: &mut Machine, texel: i32) -> [i32; 4] {
        at.fetch(self.before, self.before.shape.texel(texel)).map(|count| count as i32)
    }

    /// The number of elements kept before a group; of one past the last, more than there can be.
    fn before(&self, at: &mut Machine, group: i32) -> i32 {
        match group < self.groups(at) {
            true => self.four(at, group / 4)[(group % 4) as usize],
            false => i32::MAX,
        }
    }

    /// The last texel from `lower` to `upper` whose first group has no more than `rank` elements before it.
    fn last_up_to(&self, at: &mut Machine, rank: i32, mut lower: i32, mut upper: i32) -> i32 {
        while lower < upper {
            let middle = (lower + upper + 1) / 2;
            if self.four(at, middle)[0] <= rank {
                lower = middle;
            } else {
                upper = middle - 1;
            }
        }
        lower
    }

    /// The group that holds the element with `rank` kept ones before it, among those of texels `lower` to `upper`.
    pub fn group_of(&self, at: &mut Machine, rank: i32, lower: i32, upper: i32) -> GroupStart {
        let four = self.last_up_to(at, rank, lower, upper);
        let before = self.four(at, four);
        let last = (1..4).rev().find(|i| before[*i] <= rank).unwrap_or(0);
        GroupStart { group: four * 4 + last as i32, before: before[last] }
    }
}

/// Where a run of the result begins.
#[derive(Clone, Copy)]
pub struct Start {
    /// The group of its first element.
    pub found: GroupStart,
    /// How many elements this group keeps.
    pub count: i32,
    /// Whether the run reaches past the next group.
    pub far: bool,
}

impl Start {
    fn words(self) -> [u32; 2] {
        let GroupStart { group, before } = self.found;
        [group as u32 | (self.count as u32) << 24, before as u32 | u32::from(self.far) << 31]
    }

    pub fn of([group, before, ..]: [u32; 4]) -> Start {
        let found = GroupStart { group: (group & 0xFF_FFFF) as i32, before: (before & 0x7FFF_FFFF) as i32 };
        Start { found, count: (group >> 24) as i32, far: before >> 31 == 1 }
    }
}

/// A hint for every so many elements of the result: the texel of four groups that holds the first of them.
pub fn hints(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (search, target, each) = (Search::new(terms)?, terms.target(), terms.define("HINT")?);
    Ok(Box::new(move |at| {
        let rank = target.index(at.here) * each;
        let last = search.last_four(at);
        let four = search.last_up_to(at, rank, 0, last);
        at.write(0, &[four as u32]);
    }))
}

/// The start of each run of the result, by a search that hints shorten if there are any.
pub fn runs(terms: &Terms<'_>) -> Result<FragmentKernel, Error> {
    let (search, target, run) = (Search::new(terms)?, terms.target(), terms.define("RUN")?);
    let each = Some(terms.define("HINT")?).filter(|each| *each > 0);
    let hints = each.map(|each| terms.source("u_hints").map(|hints| (each, hints))).transpose()?;
    Ok(Box::new(move |at| {
        let rank = target.index(at.here) * run;
        if rank >= at.given("v_count")[0] as i32 {
            return at.discard();
        }
        let (lower, upper) = match hints {
            Some((each, hints)) => {
                let mut hint = |number| at.fetch_word(hints, hints.shape.texel(number)) as i32;
                (hint(rank / each), hint(rank / each + 1))
            }
            None => (0, search.last_four(at)),
        };
        let found = search.group_of(at, rank, lower, upper);
        let count = (search.before(at, found.group + 1) - found.before).min(GROUP);
        let far = search.before(at, found.group + 2) < rank + run;
        at.write(0, &Start { found, count, far }.words());
    }))
}
