//! maleki2016: SAM. Persistent groups take one chunk after the other, and carry the sum before it from chunk to chunk.
//! `glsl/scan/sam/`.
//!
//! A chunk is a tile. Its sum is published as soon as it is known, before any waiting; a group then reads, all at once, the
//! sums of the chunks between its last one and this. Orders are iterated in registers, with an exchange for each
//! (`rounds.rs`), or with one for all (`exchange.rs`). Sums are in a ring: that of a chunk takes the place of an older one's.

mod exchange;
mod rounds;

use super::states::{States, Use};
use super::tile::{Held, Tile};
use crate::length::BoundLength;
use crate::{Binding, Error, Group, GroupKernel, Invocation, Item, Terms};
use exchange::Exchange;
use rounds::Rounds;

/// The scan.
pub fn scan(terms: &Terms<'_>) -> Result<GroupKernel, Error> {
    let sam = Sam::new(terms)?;
    Ok(Box::new(move |group| match group.resume::<Carrying>() {
        Some(carrying) => sam.go_on(group, carrying),
        None => sam.begin(group),
    }))
}

/// The part that the two ways of exchanging sums share.
struct Ring {
    tile: Tile,
    states: States,
    /// The number of the first chunk that is bound in the whole stream.
    first: usize,
    /// Chunks of which the ring has the sums: `RING`, a power of two.
    len: usize,
    /// Turns of the ring in all runs before this one.
    turns_before: usize,
    /// Orders, and the sums of a chunk in each.
    orders: usize,
    interleaved: usize,
    /// The sums of a chunk that are exchanged at once: those of an order, or all.
    exchanged: usize,
    withholds: bool,
}

enum Method {
    Rounds(Rounds),
    Exchange(Box<Exchange>),
}

/// The scan of a pass.
struct Sam {
    ring: Ring,
    way: Method,
    carries: Binding,
    part: usize,
    /// Chunks in the part.
    chunks: usize,
    /// Whether no part follows.
    last: bool,
    length: BoundLength,
    /// Groups that take turns: `u_turn_groups`.
    turn_groups: Option<usize>,
}

/// The registers and shared memory of a group between two chunks.
struct Carrying {
    /// The chunk to come.
    chunk: usize,
    /// The first chunk whose sum is not carried.
    next: usize,
    /// For each order and member, order by order: the sum before the chunks to come.
    carry: Vec<Item>,
}

/// The state of a group while it scans a chunk.
struct ChunkState<'c> {
    /// The chunk that the group has taken.
    of: usize,
    /// The chunk that is scanned.
    chunk: usize,
    /// The first chunk whose sum is not carried.
    from: usize,
    carry: &'c [Item],
}

impl Ring {
    fn new(terms: &Terms<'_>) -> Result<Ring, Error> {
        let tile = Tile::new(terms)?;
        let linear = terms.is_on("LINEAR");
        let orders = terms.define("ORDER")? as usize;
        let interleaved = if linear { terms.define("INTERLEAVED")? as usize } else { tile.tuple };
        Ok(Ring {
            states: States::new(terms, tile.operation.words)?,
            first: terms.int("u_first")? as usize,
            len: terms.define("RING")? as usize,
            turns_before: (terms.run() * terms.int("u_ring_turns")?) as usize,
            orders,
            interleaved,
            exchanged: if linear { orders * interleaved } else { interleaved },
            withholds: terms.has("WITHHOLDS_ALL"),
            tile,
        })
    }

    /// The items that a group carries: `CARRIED`.
    fn carried(&self) -> usize {
        self.orders * self.interleaved
    }

    fn nothing(&self) -> Vec<Item> {
        vec![self.tile.operation.identity(); self.carried()]
    }

    /// The place of a sum. Lanes that read adjacent chunks read adjacent words.
    fn place(&self, chunk: usize, order: usize, member: usize) -> usize {
        (order * self.interleaved + member) * self.len + (self.first + chunk) % self.len
    }

    /// The status that identifies a chunk in its place: the turns of the ring, from 1, in 16 bits.
    fn round(&self, chunk: usize) -> u32 {
        (self.turns_before + (self.first + chunk) / self.len + 1) as u32 & 0xFFFF
    }

    /// Publishes a sum of a chunk.
    fn publish(&self, at: &mut Invocation<'_>, chunk: usize, order: usize, member: usize, sum: &Item) {
        if !self.withholds {
            let place = self.place(chunk, order, member);
            self.states.publish(at, self.first + chunk, place, self.round(chunk), sum);
        }
    }

    /// The sums of a chunk that are exchanged at once, from those of an order on, for the chunk `of`; `None` if they are
    /// missing.
    fn sums(&self, at: &mut Invocation<'_>, of: usize, chunk: usize, order: usize) -> Option<Vec<Item>> {
        let (tile, round) = (self.first + of, self.round(chunk));
        let places: Vec<usize> = (0..self.exchanged).map(|i| self.place(chunk, order, i)).collect();
        let by = Use { tile, may_miss: true, polls_together: false };
        let found = self.states.look(at, by, &places, &[round]).map(|(_, sums)| sums);
        for (i, place) in places.iter().enumerate() {
            match &found {
                Some(sums) => self.states.combined(at, tile, *place, round, &sums[i]),
                None => self.states.missing(at, tile, *place, round, &self.tile.operation.identity()),
            }
        }
        found
    }

    /// The members that an invocation handles, where the group divides `all` of them.
    fn share(at: &Invocation<'_>, size: usize, all: usize) -> impl Iterator<Item = usize> + use<> {
        (at.number..all).step_by(size)
    }
}

impl Sam {
    fn new(terms: &Terms<'_>) -> Result<Sam, Error> {
        let ring = Ring::new(terms)?;
        Ok(Sam {
            way: match terms.is_on("LINEAR") {
                true => Method::Exchange(Box::new(Exchange::new(terms, &ring.tile)?)),
                false => Method::Rounds(Rounds::new(terms)),
            },
            carries: terms.binding("CARRIES")?,
            part: terms.int("u_part")? as usize,
            chunks: terms.int("u_chunks")? as usize,
            last: terms.int("u_last")? != 0,
            length: BoundLength::new(terms)?,
            turn_groups: terms.has("IN_TURNS").then_some(terms.groups() as usize),
            ring,
        })
    }

    /// The places of what is carried into a part of the stream: two, in turns.
    fn place_in_part(&self, part: usize, i: usize) -> usize {
        part % 2 * self.ring.carried() + i
    }

    /// The places of what is carried by a group that takes turns.
    fn by_group(&self, group: i32, i: usize) -> usize {
        (2 + group as usize) * self.ring.carried() + i
    }

    fn put(&self, group: &mut Group<'_>, carry: &[Item], place: impl Fn(usize) -> usize) {
        let size = group.size;
        group.each(|at| {
            for i in Ring::share(at, size, carry.len()) {
                at.write_item(self.carries, place(i), &carry[i], self.ring.tile.operation.words);
            }
        });
    }

    fn chunks(&self, at: &Invocation<'_>) -> usize {
        let tile = &self.ring.tile;
        let len = self.length.of(at, tile.len as i32) as usize;
        len.div_ceil(tile.size).min(self.chunks)
    }

    /// A group takes its first chunk. One that begins when the others are far ahead is not needed.
    fn begin(&self, group: &mut Group<'_>) {
        let (size, turn, index) = (group.size, group.turn, group.index);
        let states = &self.ring.states;
        let mut first = group.invocation(0);
        let chunks = self.chunks(&first);
        let late = self.turn_groups.is_none() && states.is_late(&first, self.ring.len as u32 / 2);
        let chunk = if late { None } else { usize::try_from(states.take_ticket(&mut first)).ok() };
        let mut carry = self.ring.nothing();
        let words = self.ring.tile.operation.words;
        group.each(|at| {
            for i in Ring::share(at, size, carry.len()) {
                let place = match self.turn_groups {
                    Some(groups) if turn >= groups => Some(self.by_group(index, i)),
                    _ => (self.part > 0).then(|| self.place_in_part(self.part, i)),
                };
                if let Some(place) = place {
                    carry[i] = at.read_item(self.carries, place, words);
                }
            }
        });
        group.barrier();
        let Some(chunk) = chunk.filter(|chunk| *chunk < chunks) else { return };
        match self.turn_groups {
            Some(groups) => {
                let next = (chunk + 1).saturating_sub(groups);
                self.go_on(group, Carrying { chunk, next, carry });
            }
            None => group.pause(chunk as i32, Carrying { chunk, next: 0, carry }),
        }
    }

    /// A group scans its chunk, and takes the next one.
    fn go_on(&self, group: &mut Group<'_>, Carrying { chunk, mut next, mut carry }: Carrying) {
        let ring = &self.ring;
        let mut first = group.invocation(0);
        let chunks = self.chunks(&first);
        // The next chunk is this group's, too.
        let ticket = self.turn_groups.is_none().then(|| ring.states.take_ticket(&mut first));
        let mut held = ring.tile.held(group);
        // If a sum is missing, all chunks from the next to this one are scanned here, and then nothing is.
        let mut at = chunk;
        // Each is scanned at most twice.
        for round in 0.. {
            if round > 2 * chunk + 2 {
                group.fail(|| format!("chunk {chunk} is scanned without end"));
                break;
            }
            ring.tile.load(group, &mut held, at);
            let work = ChunkState { of: chunk, chunk: at, from: next, carry: &carry };
            let behind = match &self.way {
                Method::Rounds(rounds) => rounds.scan_chunk(ring, group, &mut held, work),
                Method::Exchange(exchange) => exchange.scan_chunk(ring, group, &mut held, work),
            };
            group.barrier();
            let Some(behind) = behind else {
                at = next;
                continue;
            };
            carry = behind;
            next = at + 1;
            if at == chunk {
                break;
            }
            at += 1;
            group.barrier();
        }
        ring.tile.put(group, &mut held, chunk);
        group.barrier();
        if self.turn_groups.is_some() {
            let index = group.index;
            self.put(group, &carry, |i| self.by_group(index, i));
        }
        if chunk + 1 == chunks && !self.last {
            self.put(group, &carry, |i| self.place_in_part(self.part + 1, i));
        }
        if let Some(chunk) =
            ticket.and_then(|ticket| usize::try_from(ticket).ok()).filter(|next| *next < chunks)
        {
            group.pause(chunk as i32, Carrying { chunk, next, carry });
        }
    }
}
