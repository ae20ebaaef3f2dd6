//! Tiles of keys that are sorted by a digit. `glsl/sort/common/`.

use crate::{Binding, Error, Group, Invocation, Item, Terms};

/// The digits of keys: `glsl/sort/common/digits.glsl`.
#[derive(Clone, Copy)]
pub struct Digits {
    /// Bits of a digit.
    width: usize,
    /// The lowest bit of a key that counts, and the one past the highest.
    bits: [i32; 2],
    /// Digits of an invocation, of which it counts and publishes.
    each: usize,
}

impl Digits {
    pub fn new(terms: &Terms<'_>) -> Result<Digits, Error> {
        let width = terms.define("WIDTH")? as usize;
        let each = (1usize << width).div_ceil(terms.invocations());
        Ok(Digits { width, bits: terms.int2("u_bits")?, each })
    }

    /// Values of a digit.
    pub fn count(self) -> usize {
        1 << self.width
    }

    /// The digit of a key at a place.
    pub fn of(self, key: u32, place: usize) -> usize {
        let [low, high] = self.bits.map(|bit| bit as u32);
        let counted = (u64::from(key) & ((1 << high) - 1)) >> low;
        (counted >> (place * self.width)) as usize & (self.count() - 1)
    }

    /// The digits of an invocation.
    pub fn own(self, at: &Invocation<'_>) -> std::ops::Range<usize> {
        let first = at.number * self.each;
        first.min(self.count())..(first + self.each).min(self.count())
    }
}

/// For each digit the number of keys with a lower one.
pub fn begins(counts: &[u32]) -> Vec<u32> {
    let mut begin = 0u32;
    let before = |count: &u32| {
        let own = begin;
        begin = begin.wrapping_add(*count);
        own
    };
    counts.iter().map(before).collect()
}

/// The tiles of a pass.
pub struct Tile {
    pub digits: Digits,
    keys: Binding,
    /// Keys of the stream.
    len: usize,
    /// The place of the digit.
    pub place: usize,
    lanes: usize,
    group: usize,
    rows: usize,
}

impl Tile {
    pub fn new(terms: &Terms<'_>) -> Result<Tile, Error> {
        Ok(Tile {
            digits: Digits::new(terms)?,
            keys: terms.binding("KEYS")?,
            len: terms.int("u_len")? as usize,
            place: terms.int("u_place")? as usize,
            lanes: terms.define("LANES")? as usize,
            group: terms.invocations(),
            rows: terms.define("ROWS")? as usize,
        })
    }

    /// Keys of a tile.
    fn size(&self) -> usize {
        self.group * self.rows
    }

    /// The items of a stream in a tile, in their order.
    fn load(&self, group: &mut Group<'_>, stream: Binding, tile: usize) -> Vec<Item> {
        let first = tile * self.size();
        let mut items = vec![Item::of(&[]); self.size().min(self.len.saturating_sub(first))];
        group.each(|at| {
            let (warp, lane) = (at.number / self.lanes, at.number % self.lanes);
            for row in 0..self.rows {
                let place = (warp * self.rows + row) * self.lanes + lane;
                if place < items.len() {
                    items[place] = at.read(stream, first + place, 1);
                }
            }
        });
        items
    }

    /// The keys of a tile.
    pub fn keys(&self, group: &mut Group<'_>, tile: usize) -> Vec<Item> {
        self.load(group, self.keys, tile)
    }

    fn digit(&self, key: &Item) -> usize {
        self.digits.of(key.words()[0], self.place)
    }

    /// How many of the keys have each digit.
    pub fn counts(&self, keys: &[Item]) -> Vec<u32> {
        let mut counts = vec![0; self.digits.count()];
        keys.iter().for_each(|key| counts[self.digit(key)] += 1);
        counts
    }

    /// The same of a whole tile: past the end of the stream are the highest keys there are.
    pub fn padded_counts(&self, keys: &[Item]) -> Vec<u32> {
        let mut counts = self.counts(keys);
        counts[self.digits.of(u32::MAX, self.place)] += (self.size() - keys.len()) as u32;
        counts
    }
}

/// The streams that a pass moves.
pub struct Moves {
    /// The keys, if they are moved.
    sorted: Option<Binding>,
    /// Payloads, and where they are moved to.
    payloads: Vec<[Binding; 2]>,
}

impl Moves {
    pub fn new(terms: &Terms<'_>) -> Result<Moves, Error> {
        let names = [["PAYLOAD", "MOVED"], ["PAYLOAD_2", "MOVED_2"]];
        let bound = |[from, to]: [&str; 2]| Ok([terms.binding(from)?, terms.binding(to)?]);
        let payloads = names.into_iter().take(terms.define("PAYLOADS")? as usize).map(bound);
        Ok(Moves {
            sorted: if terms.is_on("MOVES_KEYS") { Some(terms.binding("SORTED")?) } else { None },
            payloads: payloads.collect::<Result<_, Error>>()?,
        })
    }

    /// Moves a tile with these keys. `starts` says where those with each digit begin.
    pub fn run(&self, group: &mut Group<'_>, tile: &Tile, number: usize, keys: &[Item], starts: &[u32]) {
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|key| tile.digit(&keys[*key]));
        let begins = begins(&tile.counts(keys));
        let targets: Vec<usize> = order
            .iter()
            .zip(0u32..)
            .map(|(key, place)| {
                let digit = tile.digit(&keys[*key]);
                (starts[digit] + place - begins[digit]) as usize
            })
            .collect();
        let put = |group: &mut Group<'_>, binding: Binding, items: &[Item]| {
            group.each(|at| {
                for place in (at.number..order.len()).step_by(tile.group) {
                    at.write(binding, targets[place], &items[order[place]], 1);
                }
            });
        };
        if let Some(sorted) = self.sorted {
            put(group, sorted, keys);
        }
        for [from, to] in &self.payloads {
            group.barrier();
            let payload = tile.load(group, *from, number);
            group.barrier();
            put(group, *to, &payload);
        }
    }
}
