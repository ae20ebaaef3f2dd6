//! The tiles of a single pass: what each published, which tiles it looked at, what it found there, and which it had to
//! compute itself.
//!
//! `chained`, `look_back` and `sam` publish the states of tiles in a buffer, word by word, each in two halves beside a
//! status (`glsl/scan/common/states.glsl`). A recording holds every state as it was when a tile published or used it.
//! With tuples, the first member is told; with higher orders, the first.

use std::fmt;
use std::ops::Range;

use rasterscan::operator::Operator;
use rasterscan::plan::Layout;
use rasterscan::tools::Numbers;
use rasterscan::trace::{RecordedPass, Recording, StateAccess, StateAct};

use super::Item;
use super::scene::{Scene, SceneStream};
use super::words::{capital, equation};

/// The single pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Each tile waits for the prefix of the one before it.
    Chained,
    /// Each tile looks back until it finds a prefix.
    LookBack,
    /// Resident groups read sums from a ring.
    Sam {
        /// The groups that stay.
        groups: u64,
        /// The slots of the ring.
        ring: u64,
    },
}

/// The status of a tile's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Nothing is published.
    Empty,
    /// The sum of the tile.
    Aggregate,
    /// The sum of the tile and of all before it.
    Prefix,
    /// The sum of a chunk, published in this turn of the ring, from 1.
    Sum(u32),
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Empty => "empty",
            Status::Aggregate => "aggregate",
            Status::Prefix => "prefix",
            Status::Sum(_) => "sum",
        })
    }
}

/// A state that a tile used.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// The tile that was looked at.
    pub tile: u64,
    /// The status that was found.
    pub status: Status,
    /// The value that was used: as found, or computed from the items of that tile.
    pub value: Option<Item>,
    /// True if nothing was found, so that the tile was computed again.
    pub fell_back: bool,
}

/// The pass of a tile.
#[derive(Debug, Clone, PartialEq)]
pub struct TileStory {
    /// Its number in the stream.
    pub number: u64,
    /// The items that it holds.
    pub items: Range<u64>,
    /// Their values, of the first member of tuples.
    pub values: Vec<Item>,
    /// The sum of them.
    pub aggregate: Option<Item>,
    /// The sum that it starts from: of all items before it. `None` for the first tile.
    pub before: Option<Item>,
    /// The sum of all items up to its last.
    pub prefix: Option<Item>,
    /// The group of `sam` that took it.
    pub group: u64,
    /// The sum that the group carried to it, and the first tile that this does not cover.
    pub carried: Option<(Item, u64)>,
    /// What it published, in order.
    pub published: Vec<(Status, Option<Item>)>,
    /// The states that it used, in order: the nearest first, in `sam` the earliest first.
    pub looks: Vec<Look>,
    /// Its state at the end of the pass; in `sam` the slot of the ring may hold another chunk's.
    pub status: Status,
}

impl TileStory {
    /// Returns whether it had to compute another tile.
    pub fn fell_back(&self) -> bool {
        self.looks.iter().any(|look| look.fell_back)
    }
}

/// All tiles of a single pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Tiles {
    /// The algorithm.
    pub kind: Kind,
    /// Items in a full tile.
    pub size: u64,
    /// True if the work groups ran one after the other.
    pub in_turns: bool,
    /// True if tiles withheld their prefixes; in `sam` their sums.
    pub withholds_prefix: bool,
    /// True if tiles published nothing at all.
    pub withholds_all: bool,
    /// The tiles of the pass, in the order of the stream.
    pub tiles: Vec<TileStory>,
    /// Their acts on states, one after the other: an order in which each finds what the recording says.
    pub moments: Vec<Moment>,
    operator: Operator,
}

/// An act of a tile on a state. Tiles are numbered as in [`Tiles::tiles`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The tile.
    pub tile: usize,
    /// The act.
    pub act: Act,
}

/// A use of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// It publishes its own, by the number of the publication.
    Publish(usize),
    /// It looks at another's, by the number of the look.
    Look(usize),
}

/// The most tiles that are told one by one.
const MOST: u64 = 4096;

/// The most tiles whose pass is told moment by moment.
pub const MOST_IN_TIME: usize = 32;

/// The states in a buffer: what stands where.
#[derive(Clone, Copy)]
struct States<'a> {
    kind: Kind,
    /// Tickets before the states.
    tickets: u64,
    /// Words of a sum, and of the item in it.
    sum: u64,
    tuple: u64,
    order: u64,
    /// Tiles in a block, and the number of the first block's prefix, if only the last tile of a block publishes one.
    blocks: Option<(u64, u64)>,
    layout: &'a Layout,
}

impl<'a> States<'a> {
    fn of(scene: &Scene<'a>) -> Option<States<'a>> {
        let kind = match scene.shader() {
            "scan/chained/scan.comp" => Kind::Chained,
            "scan/look_back/scan.comp" => Kind::LookBack,
            "scan/sam/scan.comp" => Kind::Sam { groups: scene.dispatch()?.1, ring: scene.positive("RING")? },
            _ => return None,
        };
        let source = scene.pass.sources.iter().find(|source| source.name == "SOURCE")?;
        let layout = scene.recording.layout(source.stream);
        let flag = if scene.is("SPLIT") { layout.element.words() } else { 0 };
        Some(States {
            kind,
            tickets: scene.number_of("TICKETS")?,
            sum: u64::from(layout.words_per_texel() + flag).max(1),
            // In one exchange for all orders, tiles do not care for tuples.
            tuple: scene.positive("INTERLEAVED").or(scene.positive("TUPLE"))?,
            order: scene.positive("ORDER").unwrap_or(1),
            blocks: scene.positive("BLOCK").and_then(|block| Some((block, scene.int("u_prefixes")?))),
            layout,
        })
    }

    /// The tile or slot, the order, the member and the word of a state's word; `None` for a ticket.
    fn place(&self, index: u64) -> Option<(u64, u64, u64, u64)> {
        let index = index.checked_sub(self.tickets)?;
        let (number, word) = (index / self.sum, index % self.sum);
        Some(match self.kind {
            // The ring has all slots of an order and member side by side.
            Kind::Sam { ring, .. } => {
                let (of, slot) = (number / ring, number % ring);
                (slot, of / self.tuple, of % self.tuple, word)
            }
            _ => (self.tile(number / self.tuple), 0, number % self.tuple, word),
        })
    }

    /// The tile whose state has this number.
    fn tile(&self, number: u64) -> u64 {
        match self.blocks {
            // The last one of a block.
            Some((block, prefixes)) if number >= prefixes => (number - prefixes + 1) * block - 1,
            _ => number,
        }
    }

    fn status(&self, status: u32) -> Status {
        match (self.kind, status) {
            (_, 0) => Status::Empty,
            (Kind::Sam { .. }, turn) => Status::Sum(turn),
            (Kind::LookBack, 1) => Status::Aggregate,
            _ => Status::Prefix,
        }
    }

    /// The item in the words of a sum.
    fn item(&self, words: &[u32]) -> Option<Item> {
        let own = words.get(..self.layout.words_per_texel() as usize)?;
        let values = Numbers::of_bytes(self.layout.element, bytemuck::cast_slice(own));
        Item::at(&values, self.layout.arity, 0)
    }
}

/// A word of a state at some index of its stream, as a reader sees it: `prefix 157`, `aggregate 12`, `empty`, `3 tickets`.
/// `values` is the content of the stream at the time that is shown. `None` for streams of other kinds.
pub fn decoded(recording: &Recording, stream: usize, values: &Numbers, index: u64) -> Option<String> {
    let of = |pass: &&RecordedPass| {
        pass.sources.iter().any(|source| source.name == "STATES" && source.stream == stream)
            && pass.defines.iter().any(|(name, _)| name == "TICKETS")
    };
    let number = recording.passes.iter().position(|pass| of(&pass))?;
    let scene = Scene::new(recording, number)?;
    let states = States::of(&scene)?;
    let halves = |index: u64| -> Option<[u32; 2]> {
        let at = usize::try_from(index).ok()?.checked_mul(2)?;
        values.words().get(at..at.checked_add(2)?)?.try_into().ok()
    };
    let [low, _] = halves(index)?;
    let Some((_, _, _, word)) = states.place(index) else {
        return Some(if low == 1 { "1 ticket".into() } else { format!("{low} tickets") });
    };
    let status = states.status(low & 0xFFFF);
    if status == Status::Empty {
        return Some(status.to_string());
    }
    let first = index - word;
    let whole = (first..first + states.sum).map(|index| halves(index).map(joined));
    let item = states.item(&whole.collect::<Option<Vec<u32>>>()?)?;
    Some(match status {
        Status::Sum(turn) if turn > 1 => format!("sum {item}, turn {turn}"),
        _ => format!("{status} {item}"),
    })
}

/// The word of a sum in its two halves.
fn joined([low, high]: [u32; 2]) -> u32 {
    low >> 16 | high & 0xFFFF_0000
}

/// The words of one state that a tile used.
struct Used {
    tile: u64,
    epoch: u32,
    invocation: u32,
    act: StateAct,
    first: u64,
    status: u32,
    words: Vec<u32>,
}

/// The uses of states, whole sums of the first member and order, in the order of the recording.
fn used(pass: &RecordedPass, states: &States) -> Vec<Used> {
    let mut all: Vec<Used> = Vec::new();
    let mut begun = std::collections::HashMap::new();
    for access in &pass.states {
        let StateAccess { tile, epoch, invocation, act, index, .. } = *access;
        let Some((_, 0, 0, word)) = states.place(index.into()) else { continue };
        let first = u64::from(index) - word;
        let key = (tile, epoch, invocation, act == StateAct::Published, access.status(), first);
        let at = *begun.entry(key).or_insert_with(|| {
            all.push(Used {
                tile: tile.into(),
                epoch,
                invocation,
                act,
                first,
                status: access.status(),
                words: Vec::new(),
            });
            all.len() - 1
        });
        if all[at].words.len() == word as usize {
            all[at].words.push(access.word());
        }
    }
    all
}

/// The tiles of a pass; `None` if it is no single pass over tiles, if its uses of states were not recorded, or if it
/// scans rows or segments.
pub fn tiles(recording: &Recording, pass: usize) -> Option<Tiles> {
    let scene = Scene::new(recording, pass)?;
    let states = States::of(&scene)?;
    if scene.is("SPLIT")
        || scene.is("WARP_ROWS")
        || scene.pass.states.is_empty() && !scene.is("WITHHOLDS_ALL")
    {
        return None;
    }
    let shape = super::narration::tile_items(&scene)?;
    let source = scene.source("SOURCE")?;
    let bound = scene.int("u_len")?.min(source.len());
    let (first, count) = (scene.int("u_first")?, bound.div_ceil(shape));
    if count > MOST {
        return None;
    }
    let whole = SceneStream { first: 0, ..source };
    let end = (source.first + bound).min(source.layout.len);
    let operator = scene.operator();
    let order = states.order;
    let sums = Sums::new(&whole, operator, states.tuple, shape);
    let used = used(scene.pass, &states);
    let left = scene.written("STATES");
    let story = |number: u64| {
        let items = number * shape..((number + 1) * shape).min(end);
        let own = || used.iter().filter(|used| used.tile == number);
        let published = own().filter(|used| used.act == StateAct::Published);
        let published: Vec<(Status, Option<Item>)> =
            published.map(|used| (states.status(used.status), states.item(&used.words))).collect();
        let mut looks: Vec<&Used> = own().filter(|used| used.act != StateAct::Published).collect();
        let looked_at = |used: &Used| {
            let (place, ..) = states.place(used.first).unwrap_or_default();
            match states.kind {
                // The chunk whose turn of the ring it is.
                Kind::Sam { ring, .. } if used.status > 0 => {
                    (u64::from(used.status) - 1) * ring + place % ring
                }
                // Older recordings do not tell that of what is missing: the latest chunk before this one that has the slot.
                Kind::Sam { ring, .. } => {
                    let distance = (number % ring + ring - place % ring) % ring;
                    number.saturating_sub(if distance == 0 { ring } else { distance })
                }
                _ => place,
            }
        };
        looks.sort_by_key(|used| match states.kind {
            Kind::Sam { .. } => (used.epoch, looked_at(used)),
            _ => (used.epoch, u64::MAX - looked_at(used)),
        });
        let looks: Vec<Look> = looks
            .into_iter()
            .map(|used| {
                let tile = looked_at(used);
                let fell_back = used.act == StateAct::Missing;
                let value = if fell_back { sums.of(tile) } else { states.item(&used.words) };
                let status = if fell_back { Status::Empty } else { states.status(used.status) };
                Look { tile, status, value, fell_back }
            })
            .collect();
        let aggregate = match published.first() {
            Some((Status::Aggregate | Status::Sum(_), item)) => *item,
            _ => sums.of(number),
        };
        let before = sums.before(number).filter(|_| order == 1);
        let group =
            own().next().map_or(0, |used| u64::from(used.invocation) / scene.dispatch().map_or(1, |d| d.0));
        let carried = looks.first().filter(|_| matches!(states.kind, Kind::Sam { .. }) && order == 1);
        let carried = carried.and_then(|look| Some((sums.before(look.tile)?, look.tile)));
        let own_state = match states.kind {
            Kind::Sam { ring, .. } => number % ring,
            _ => number * states.tuple,
        };
        let at = states.tickets + own_state * states.sum;
        let status = left.as_ref().and_then(|left| left.values.words().get(at as usize * 2).copied());
        TileStory {
            number,
            values: sums.values(items.clone()),
            items,
            aggregate,
            before,
            prefix: sums.before(number + 1).filter(|_| order == 1),
            group,
            carried,
            published,
            looks,
            status: states.status(status.unwrap_or(0) & 0xFFFF),
        }
    };
    let tiles: Vec<TileStory> = (first..first + count).map(story).collect();
    Some(Tiles {
        moments: moments(&tiles, states.kind, scene.is("IN_TURNS")),
        kind: states.kind,
        size: shape,
        in_turns: scene.is("IN_TURNS"),
        withholds_prefix: scene.is("WITHHOLDS_PREFIX"),
        withholds_all: scene.is("WITHHOLDS_ALL"),
        tiles,
        operator: operator.clone(),
    })
}

/// The acts of all tiles in an order that explains what they found: a state is found after it was published, and before the
/// next one was. Else all go on at the same pace, or one after the other if they ran `in_turns`. Empty for many tiles.
fn moments(tiles: &[TileStory], kind: Kind, in_turns: bool) -> Vec<Moment> {
    if tiles.len() > MOST_IN_TIME {
        return Vec::new();
    }
    let acts = |tile: &TileStory| -> Vec<Act> {
        let early = match tile.published.first() {
            Some((Status::Prefix, _)) if !tile.looks.is_empty() => 0,
            Some(_) => 1,
            None => 0,
        };
        let publish = |range: Range<usize>| range.map(Act::Publish);
        let looks = (0..tile.looks.len()).map(Act::Look);
        publish(0..early).chain(looks).chain(publish(early..tile.published.len())).collect()
    };
    let acts: Vec<Vec<Act>> = tiles.iter().map(acts).collect();
    let mut done = vec![0; tiles.len()];
    let published = |done: &[usize], tile: usize| {
        acts[tile][..done[tile]].iter().filter(|act| matches!(act, Act::Publish(_))).count()
    };
    let index_of = |number: u64| {
        let first = tiles.first()?.number;
        usize::try_from(number.checked_sub(first)?).ok().filter(|index| *index < tiles.len())
    };
    // Later chunks take over the slots of a ring.
    let over = |done: &[usize], tile: usize| match kind {
        Kind::Sam { ring, .. } => {
            let next = tile.saturating_add(usize::try_from(ring).unwrap_or(usize::MAX));
            next < tiles.len() && published(done, next) > 0
        }
        _ => false,
    };
    let finds = |done: &[usize], look: &Look| {
        let Some(at) = index_of(look.tile) else { return true };
        let latest = published(done, at).checked_sub(1).map(|last| tiles[at].published[last].0);
        match look.fell_back {
            true => latest.is_none(),
            false => latest == Some(look.status) && !over(done, at),
        }
    };
    // A publication waits until no tile needs the state before it.
    let spoils = |done: &[usize], tile: usize, next: usize| {
        let number = tiles[tile].number;
        let before = next.checked_sub(1).map(|before| tiles[tile].published[before].0);
        let missed = |look: &&Look| match before {
            None => look.fell_back,
            Some(status) => !look.fell_back && look.status == status,
        };
        tiles.iter().enumerate().any(|(other, of)| {
            let to_come = acts[other][done[other]..].iter();
            to_come
                .filter_map(|act| if let Act::Look(look) = act { of.looks.get(*look) } else { None })
                .any(|look| look.tile == number && missed(&look))
        })
    };
    let all: usize = acts.iter().map(Vec::len).sum();
    let mut moments: Vec<Moment> = Vec::with_capacity(all);
    while moments.len() < all {
        let next = |tile: usize| acts[tile].get(done[tile]).copied();
        let can = |tile: &usize| match next(*tile) {
            Some(Act::Publish(number)) => !spoils(&done, *tile, number),
            Some(Act::Look(look)) => finds(&done, &tiles[*tile].looks[look]),
            None => false,
        };
        let ready = (0..tiles.len()).filter(can).min_by_key(|tile| if in_turns { 0 } else { done[*tile] });
        let Some(tile) = ready.or_else(|| (0..tiles.len()).find(|tile| next(*tile).is_some())) else { break };
        moments.extend(next(tile).map(|act| Moment { tile, act }));
        done[tile] += 1;
    }
    moments
}

/// The sums of tiles, from the items of the stream.
struct Sums<'a> {
    stream: &'a SceneStream<'a>,
    tuple: u64,
    /// The sum of each tile, and of all before it.
    of: Vec<(Option<Item>, Option<Item>)>,
}

impl<'a> Sums<'a> {
    fn new(stream: &'a SceneStream<'a>, operator: &Operator, tuple: u64, size: u64) -> Sums<'a> {
        let mut sums = Sums { stream, tuple, of: Vec::new() };
        let mut before: Option<Item> = None;
        for tile in 0..stream.len().div_ceil(size) {
            let own = Item::fold(operator, &sums.values(tile * size..(tile + 1) * size));
            sums.of.push((own, before));
            before = match (before, own) {
                (Some(before), Some(own)) => before.combine(operator, own),
                (before, own) => before.or(own),
            };
        }
        sums.of.push((None, before));
        sums
    }

    /// The items of the first member in a range of items.
    fn values(&self, items: Range<u64>) -> Vec<Item> {
        let first = items.start.next_multiple_of(self.tuple);
        (first..items.end).step_by(self.tuple as usize).map_while(|place| self.stream.item(place)).collect()
    }

    fn of(&self, tile: u64) -> Option<Item> {
        self.of.get(tile as usize)?.0
    }

    fn before(&self, tile: u64) -> Option<Item> {
        self.of.get(tile as usize)?.1
    }
}

impl Tiles {
    /// The tile that a text or a picture tells if none is chosen: the last of those that looked at the most.
    pub fn told(&self) -> usize {
        let most = self.tiles.iter().map(|tile| tile.looks.len()).max().unwrap_or(0);
        self.tiles.iter().rposition(|tile| tile.looks.len() == most).unwrap_or(0)
    }

    /// The word for a tile: SAM's paper calls it a chunk.
    pub fn noun(&self) -> &'static str {
        if matches!(self.kind, Kind::Sam { .. }) { "chunk" } else { "tile" }
    }

    /// The tiles as they are after a moment, from 0: what each has published and found by then.
    pub fn until(&self, moment: usize) -> Vec<TileStory> {
        let mut tiles = self.tiles.clone();
        let mut counts = vec![(0, 0); tiles.len()];
        for of in self.moments.iter().take(moment.saturating_add(1)) {
            match of.act {
                Act::Publish(number) => counts[of.tile].0 = number + 1,
                Act::Look(number) => counts[of.tile].1 = number + 1,
            }
        }
        for (tile, (published, looks)) in tiles.iter_mut().zip(counts) {
            if looks < tile.looks.len() {
                (tile.before, tile.prefix) = (None, None);
            }
            tile.published.truncate(published);
            tile.looks.truncate(looks);
            tile.status = tile.published.last().map_or(Status::Empty, |(status, _)| *status);
        }
        tiles
    }

    /// The tiles that wait after a moment: the state that each looks for next is not there.
    pub fn waiting(&self, moment: usize) -> Vec<usize> {
        let now = self.until(moment);
        let waits = |index: &usize| {
            let next = self.tiles[*index].looks.get(now[*index].looks.len());
            let begun = !now[*index].published.is_empty() || self.tiles[*index].published.is_empty();
            let at = next.and_then(|look| {
                let first = self.tiles.first()?.number;
                now.get(usize::try_from(look.tile.checked_sub(first)?).ok()?)
            });
            begun && at.is_some_and(|at| at.published.is_empty())
        };
        (0..now.len()).filter(waits).collect()
    }

    /// A sentence or two on a moment: what a tile publishes or finds, and what it does next.
    pub fn sentence_at(&self, moment: usize) -> Option<String> {
        let Moment { tile: index, act } = *self.moments.get(moment)?;
        let tile = &self.tiles[index];
        let (noun, number) = (self.noun(), tile.number);
        let name = format!("{} {number}", capital(noun));
        let mut text = match act {
            Act::Publish(of) => {
                let (status, item) = tile.published.get(of)?;
                let item = item.as_ref()?;
                match (status, self.kind) {
                    (Status::Sum(_), Kind::Sam { ring, .. }) => format!(
                        "{name}, of group {}, publishes its sum, {item}, in slot {} of the ring.",
                        tile.group,
                        number % ring
                    ),
                    (Status::Prefix, _) if tile.looks.is_empty() => format!(
                        "{name} publishes {item} as its prefix: nothing precedes it, so its own sum is the sum of \
                         everything up to its end."
                    ),
                    (Status::Prefix, _) => format!(
                        "{name} publishes its prefix, {item}. A tile that finds it need look no further."
                    ),
                    _ => format!("{name} publishes its aggregate, {item}, the sum of its own items."),
                }
            }
            Act::Look(of) => {
                let look = tile.looks.get(of)?;
                let value = look.value.map_or_else(String::new, |value| format!(", {value}"));
                let next = match (tile.looks.get(of + 1), &tile.before) {
                    (Some(next), _) => format!("goes on to {noun} {}", next.tile),
                    (None, Some(before)) => format!("starts at {before}"),
                    (None, None) => "is done".into(),
                };
                let at = format!("{noun} {}", look.tile);
                match (look.fell_back, look.status) {
                    (true, _) => format!(
                        "{name} looks at {at} and finds nothing. It waits a while, then sums {at} itself{value}, and \
                         {next}."
                    ),
                    (_, Status::Sum(_)) => format!("{name} reads the sum of {at}{value}, and {next}."),
                    (_, status) => format!("{name} looks at {at} and finds its {status}{value}. It {next}."),
                }
            }
        };
        let waiting: Vec<String> =
            self.waiting(moment).iter().map(|index| self.tiles[*index].number.to_string()).collect();
        match &waiting[..] {
            [] => {}
            [one] => text.push_str(&format!(" {} {one} finds nothing yet, and waits.", capital(noun))),
            [others @ .., last] => text.push_str(&format!(
                " {}s {} and {last} find nothing yet, and wait.",
                capital(noun),
                others.join(", ")
            )),
        }
        Some(text)
    }

    /// A sentence or two on a tile, in the numbers of the run.
    pub fn sentence(&self, index: usize) -> Option<String> {
        let tile = self.tiles.get(index)?;
        match self.kind {
            Kind::Sam { ring, .. } => self.of_chunk(tile, ring),
            _ => self.of_tile(tile),
        }
    }

    fn of_tile(&self, tile: &TileStory) -> Option<String> {
        let number = tile.number;
        let aggregate = tile.aggregate?;
        let Some(before) = tile.before else {
            return Some(match self.withholds_all {
                true => format!(
                    "Tile {number} is the first. Its aggregate, {aggregate}, is its prefix; it publishes nothing."
                ),
                false => format!(
                    "Tile {number} is the first: it publishes its aggregate, {aggregate}, as its prefix at once."
                ),
            });
        };
        let begins = match tile.published.first() {
            Some((Status::Aggregate, Some(item))) => format!("publishes its aggregate {item}, "),
            _ if self.withholds_all => format!("publishes nothing of its aggregate {aggregate}, "),
            _ => String::new(),
        };
        if tile.looks.is_empty() {
            return None;
        }
        let sum: Vec<Item> = tile.looks.iter().rev().filter_map(|look| look.value).collect();
        let starts = equation(&self.operator, &sum, before);
        let mut text = format!("Tile {number} {begins}{}, and so starts at {starts}.", looks(&tile.looks));
        if let Some((Status::Prefix, Some(prefix))) = tile.published.last() {
            let ends = equation(&self.operator, &[before, aggregate], *prefix);
            text.push_str(&format!(" It publishes its prefix, {ends}."));
        } else if self.withholds_prefix && !self.withholds_all {
            text.push_str(" It withholds its prefix.");
        }
        Some(text)
    }

    fn of_chunk(&self, tile: &TileStory, ring: u64) -> Option<String> {
        let (number, group) = (tile.number, tile.group);
        let slot = number % ring;
        let aggregate = tile.aggregate?;
        let begins = match tile.published.is_empty() {
            true => format!("Chunk {number}, of group {group}, publishes nothing of its sum {aggregate}"),
            false => format!(
                "Chunk {number}, of group {group}, publishes its sum {aggregate} in slot {slot} of the ring"
            ),
        };
        let Some(before) = tile.before else {
            return Some(format!("{begins}. Nothing precedes it."));
        };
        if tile.looks.is_empty() {
            return Some(format!("{begins}. The group carries {before} up to here from its last chunk."));
        }
        let carried = tile.carried.iter().map(|(item, _)| *item);
        let sum: Vec<Item> = carried.chain(tile.looks.iter().filter_map(|look| look.value)).collect();
        let carries = match tile.carried {
            Some((carried, from)) => format!("carries {carried} up to chunk {}", from - 1),
            None => "carries nothing yet".into(),
        };
        let starts = equation(&self.operator, &sum, before);
        Some(format!(
            "{begins}. The group {carries}, {}, and so starts at {starts}.",
            looks_of_chunk(&tile.looks)
        ))
    }
}

/// `looks at tile 4: aggregate 12, then at tile 3: prefix 61`.
fn looks(looks: &[Look]) -> String {
    let tell = |look: &Look, tiles: String, several: bool| match (look.fell_back, several) {
        (true, false) => format!("finds tile {tiles} empty and computes it again:"),
        (true, true) => format!("finds tiles {tiles} empty and computes them again"),
        (false, false) => format!("looks at tile {tiles}: {}", look.status),
        (false, true) => format!("looks at tiles {tiles}: {}s", look.status),
    };
    runs(looks, tell).join(", then ")
}

fn looks_of_chunk(looks: &[Look]) -> String {
    let tell = |look: &Look, chunks: String, several: bool| match (look.fell_back, several) {
        (true, false) => format!("finds no sum of chunk {chunks} and scans it again:"),
        (true, true) => format!("finds no sums of chunks {chunks} and scans them again"),
        (false, false) => format!("reads the sum of chunk {chunks}:"),
        (false, true) => format!("reads the sums of chunks {chunks}"),
    };
    runs(looks, tell).join(", ")
}

/// Consecutive looks that found the same kind of state, each run in words; the values of several are in the sum that follows.
fn runs(looks: &[Look], tell: impl Fn(&Look, String, bool) -> String) -> Vec<String> {
    let same = |a: &Look, b: &Look| {
        a.fell_back == b.fell_back && std::mem::discriminant(&a.status) == std::mem::discriminant(&b.status)
    };
    let words = |run: &[Look]| {
        let (first, last) = (run[0].tile, run[run.len() - 1].tile);
        let tiles = if first == last { first.to_string() } else { format!("{first} to {last}") };
        let told = tell(&run[0], tiles, first != last);
        match (&run[0].value, first == last) {
            (Some(value), true) => format!("{told} {value}"),
            _ => told,
        }
    };
    looks.chunk_by(same).map(words).collect()
}

/// What a pass of tiles did, in a few words: how far its tiles looked, and how many were computed again.
pub fn summary(tiles: &Tiles) -> String {
    let count = tiles.tiles.len();
    let noun = tiles.noun();
    let looked: usize = tiles.tiles.iter().map(|tile| tile.looks.len()).sum();
    let fell: usize = tiles.tiles.iter().filter(|tile| tile.fell_back()).count();
    let mut text = match (looked, count) {
        (_, 1) => return capital(&format!("one {noun} of up to {} items", tiles.size)),
        (1, _) => format!("{count} {noun}s of {} items, 1 look", tiles.size),
        _ => format!("{count} {noun}s of {} items, {looked} looks", tiles.size),
    };
    if fell > 0 {
        text.push_str(&format!(", {fell} {noun}s fell back"));
    }
    text
}
