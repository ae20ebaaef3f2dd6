//! The scan with decoupled look-back: a single pass in which each tile finds the sum before it.
//!
//! Source: merrill2016 (CUB), named by maleki2016, section 2.1. Work: about 2n words moved. Steps: one pass over the
//! stream, and, once in many runs, one that clears the states.
//! Wins: on GPUs for scans of first order. Up to 2^24 items it takes 5 to 33% less time than `sam`, except at 2^20, where both take as
//! long, at 2^26, too; of 2^28 integers of 32 bits `sam` takes 2% less (H200, `docs/growth.md`, `docs/limits.md`).
//!
//! ```text
//! for each tile in parallel, in the order in which groups begin
//!   load and scan the tile; publish its aggregate
//!   look back: combine the aggregates of earlier tiles until one has its prefix
//!   publish the prefix; write prefix + scanned
//! ```
//!
//! *Which tiles publish a prefix.* In the paper every one does, and a tile stops at the nearest that it finds. Timing
//! decides which that is, and with it the order in which floats are added: their last bits differ from run to run. With
//! `prefixes=block` only the last tile of a block of tiles publishes one. A tile then adds up the aggregates in its own
//! block and in the one before, and in front of them the prefix of the block before those, whatever else is there. So
//! floats have the same bits in every run. A tile looks once, with its whole work group, instead of again and again
//! further back with one warp. It looks at more states: 192 on average in groups of 256. On an H200 that takes 39% less time
//! for 8-tuples and 20% less for u64, and took between 2% less and 6% more for single words before tiles of long streams looked
//! back later. So integers of one word use the nearest prefix.
//!
//! Deviations from CUB:
//! 1. Tiles are handed out by tickets, except where groups are known to start in order (`tickets`). Waiting ends after a
//!    bounded number of looks, and the group that misses a tile then computes it again. So no group depends on the progress
//!    of another, which OpenGL does not promise.
//! 2. A word is published in two halves, each beside the status, because GLSL has no atomic pairs of words.
//! 3. Streams longer than a binding are scanned in parts; the states of the tiles carry on from part to part.
//! 4. For teaching, work groups take turns and tiles withhold their prefixes or everything (`teaching.rs`). A recording
//!    holds the look that counted, not the polls before it.
//! 5. CUB sleeps for about a microsecond before it looks back, if there are 500 tiles or more. Here the tiles of long streams
//!    wait until their own sum is in memory (`nearest_prefix.glsl` says why).
//! 6. On a CPU an invocation reads a large tile twice, the second time from the cache (`tile.rs`, in series): 3n words.
//!
//! Compared with Decoupled Fallback (smith2025), which also needs no forward progress:
//! 1. *Tickets*: the same, except that on NVIDIA's GPUs most scans take none. Tiles are handed out in the order in which
//!    groups ask.
//! 2. *When waiting ends*: the same, after a number of looks; 4 in the authors' shader, 65,536 here on a GPU, where a
//!    late tile is nearly always about to come.
//! 3. *The fallback*: there the whole group reduces the missing tile. Here it scans that tile, by the code that scans
//!    the group's own, which is then loaded and scanned once more.
//! 4. *Its result*: there it is published as the missing tile's, so later groups find it. Here the group keeps it, and
//!    each group that misses a tile computes it: a tile has one writer, and its status never races.
//! 5. *Words of a state*: there, too, halves of a word stand beside their status in two words of 32 bits, and neither
//!    64-bit atomics nor barriers are needed. Here an item has 1, 2 or 4 such words, each with its status, and all must
//!    agree.
//! 6. *Looking back*: there one invocation looks, a tile at a time, in the authors' shader. Here the lanes of a warp
//!    look at as many tiles at a time, and combine what they find.
//! 7. *Subgroups*: there, code for subgroups of any size. Here lanes of four kinds, one of which needs no subgroups.
//!
//! Both are tested with up to half of the tiles never published.

use super::teaching::{ITERATIONS, Teaching, Withhold};
use super::tile::{TileOptions, Tiled, TunedTile, tile_scan};
use super::{Round, States};
use crate::algorithm::{
    Algorithm, Arguments, Built, Candidates, Card, Domain, Era, Need, Parameter, PseudoCode, Variants,
};
use crate::device::Device;
use crate::error::Error;
use crate::named::named;
use crate::plan::{Access, AtMost, DispatchRecorder, ItemType, Layout, Plan, Shader, Slot, Uniform};
use crate::scan::{Heads, ScanKind, ScanSpec, rounds, shader};
use crate::tuning::table::look_back::{
    CROWDED, FEW, FLOATS_IN_CACHE, IN_CACHE, OF_CACHED, OF_FEW, OF_FEW_WIDE, OF_LONG, UNTICKETED,
};
use crate::unsupported::Unsupported;

pub static CARD: Card = Card {
    name: "look_back",
    problem: &crate::scan::PROBLEM,
    era: Era::Compute,
    needs: Need::Compute,
    summary: "one pass, 2n words: each tile combines what earlier ones have published",
    sources: &["merrill2016", "maleki2016"],
    passes: "2, of which one clears; 2n words",
    work: "4n or 5n",
    parameters: &[
        TileOptions::PARAMETERS[0],
        Teaching::GROUP,
        TileOptions::PARAMETERS[2],
        Prefixes::PARAMETER,
        Tickets::PARAMETER,
        Teaching::TURNS,
        Teaching::withhold(
            Withhold::WORDS,
            "for teaching: what a tile does not publish, so that those after it look further back or compute it again",
        ),
    ],
    variants: Variants {
        all: &["lanes=shared,group=8,vectors=1", "lanes=subgroup"],
        some: &["", "vectors=1", "lanes=shared,group=64,vectors=2", "lanes=warp", "tickets=off"],
    },
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| {
        Built::of(LookBack {
            tile: TileOptions::of(arguments),
            prefixes: Prefixes::of(arguments),
            tickets: Tickets::of(arguments),
            teaching: Teaching::of(arguments),
        })
    },
};

tile_scan! {
    /// Decoupled look-back.
    LookBack, "look_back";
    /// The tiles that publish a prefix.
    prefixes: Prefixes,
    /// Whether groups take tickets for their tiles.
    tickets: Tickets,
    /// What is done for teaching.
    teaching: Teaching
}

/// The number of polls before a group gives up. On a CPU the group that it waits for may be waiting for this very core,
/// and computing a tile takes a few microseconds.
pub(crate) fn spins(device: &Device) -> i64 {
    if device.software { 200 } else { 1 << 16 }
}

/// The same for a stream. Floats look at all tiles of a block, so their limit is lower; pairs gain more (2^20: 9.8 microseconds
/// instead of 11.7), items of two words lose, larger tuples were not measured.
fn in_cache(stream: &Layout, tuple: u32) -> u64 {
    match (stream.words_per_texel(), tuple) {
        (1, 1 | 2) if stream.element.is_float() => FLOATS_IN_CACHE,
        (1, 1 | 2) => IN_CACHE,
        _ => 0,
    }
}

/// Invocations of a group and vectors of 16 bytes on a GPU, where nothing else is chosen or measured.
fn usual(words: u64, in_cache: u64, device: &Device) -> (u32, u32) {
    let (group, vectors) = if words <= FEW {
        if in_cache > 0 { OF_FEW } else { OF_FEW_WIDE }
    } else if words <= in_cache {
        OF_CACHED
    } else {
        OF_LONG
    };
    (group.min(device.compute.as_ref().map_or(group, |compute| compute.max_invocations)), vectors)
}

impl LookBack {
    /// Adds one scan of first order.
    fn round(
        &self,
        plan: &mut Plan,
        source: Slot,
        round: Round,
        device: &Device,
    ) -> Result<Slot, Unsupported> {
        if self.prefixes == Prefixes::Block && self.teaching.in_turns() {
            let refusal = "work groups that take turns publish every prefix; leave prefixes=block out, or turns and withhold";
            return Err(Unsupported::request(refusal));
        }
        if self.tickets == Tickets::Off && self.teaching.in_turns() {
            let refusal =
                "work groups that take turns take tickets; leave tickets=off out, or turns and withhold";
            return Err(Unsupported::request(refusal));
        }
        let shader = shader!("scan/look_back/scan.comp");
        let layout = *plan.layout(source);
        let tuned = self.tile.tuned("look_back", &layout, device);
        let (options, vectors) = if self.tile.leave_groups_to_a_gpu(device) {
            let usual = |in_cache| usual(layout.words(), in_cache, device);
            let (group, vectors) = usual(in_cache(&layout, round.tuple));
            // Rows are measured with the groups of single words.
            let measured = group == usual(IN_CACHE).0;
            let vectors = tuned.vectors.filter(|_| measured).or(Some(vectors));
            (TileOptions { group: Some(group), ..self.tile }, vectors)
        } else {
            (self.tile, tuned.vectors)
        };
        let tuned = TunedTile { options, vectors, any_group: true, in_series: true };
        // An aggregate and a prefix.
        let published = match self.teaching.withhold {
            Withhold::Nothing => 2,
            Withhold::Prefix => 1,
            Withhold::All => 0,
        };
        let pass = SinglePass {
            shader,
            spins: spins(device),
            published,
            prefixes: if self.teaching.in_turns() { Prefixes::Every } else { self.prefixes },
            tickets: if self.teaching.in_turns() { Tickets::On } else { self.tickets },
            teaching: self.teaching,
        };
        if let (Heads::Every(width), Some(values)) = (round.heads, plan.item().operator.values().cloned()) {
            let plain = tuned.of_stream(&layout, Round { heads: Heads::None, ..round }, device)?;
            if let Some(tile) = plain.of_warp_rows(width) {
                let item = ItemType { element: layout.element, operator: values };
                let tiled = Tiled::of(tile, &layout, device)?;
                return plan.with_item(item, |plan| pass.tiles(plan, tiled, source, round.kind, device));
            }
        }
        pass.round(plan, tuned, source, round, device)
    }
}

/// A pass in which each tile finds its prefix on its own, from what earlier tiles have published.
pub(super) struct SinglePass {
    /// The compute stage.
    pub shader: Shader,
    /// Failed polls before a group computes the missing value itself.
    pub spins: i64,
    /// The number of times that a tile publishes, if every one publishes a prefix.
    pub published: u64,
    /// The tiles that publish a prefix.
    pub prefixes: Prefixes,
    /// Whether groups take tickets for their tiles.
    pub tickets: Tickets,
    /// What is done for teaching.
    pub teaching: Teaching,
}

impl SinglePass {
    /// Adds one scan of first order.
    pub fn round(
        &self,
        plan: &mut Plan,
        tile: TunedTile,
        source: Slot,
        round: Round,
        device: &Device,
    ) -> Result<Slot, Unsupported> {
        let tiled = Tiled::new(tile, plan.layout(source), round, device)?;
        self.tiles(plan, tiled, source, round.kind, device)
    }

    fn tiles(
        &self,
        plan: &mut Plan,
        Tiled { tile, parts, tiles }: Tiled,
        source: Slot,
        kind: ScanKind,
        device: &Device,
    ) -> Result<Slot, Unsupported> {
        self.teaching.check(&tile, tiles, 1, device)?;
        let layout = *plan.layout(source);
        let runs = if self.teaching.in_turns() { 1 } else { States::RUNS };
        // Flags are left out: where they are there, none of the two ways has been measured.
        let (words, float) = (tile.tuple * layout.words_per_texel(), layout.element.is_float());
        let blocks = self.prefixes.blocks(tile.group, tiles, words, float, device)?;
        let numbers = tiles + blocks.map_or(0, |blocks| blocks.count());
        let turns = tiles.saturating_mul(tile.iterations(1, device));
        let tickets = match self.tickets.are_taken(blocks.is_some(), layout.words(), turns, device)? {
            true => parts.len() as u64,
            false => 0,
        };
        let states = States::cleared(plan, tickets, numbers * tile.sum_words(), runs);
        let target = plan.slot("scanned", layout);
        let is_chain = self.published == 1 && self.teaching.withhold == Withhold::Nothing;
        for part in &parts {
            let state = 2 * tile.sum_words();
            let (looked, published) = match blocks {
                // The nearest prefix. That of the first tile is its sum.
                None => {
                    let once = part.first == 0 && self.published > 1;
                    (part.tiles_after_the_first(), part.tiles * self.published - u64::from(once))
                }
                Some(blocks) => blocks.states_of(part.first, part.tiles),
            };
            // Uses of the operator for what a tile finds, and for what it publishes.
            let warps = u64::from(tile.warps());
            let found = match blocks {
                // A chain adds its own sum to a prefix.
                None if is_chain => 1,
                Some(_) => tile.adds_of_lanes() + 4 * warps,
                None => tile.adds_of_lanes() / warps + u64::from(tile.lane_count) + 1,
            };
            let pass = tile
                .dispatch(plan, "scan", self.shader.clone(), part)
                .bind_loads("SOURCE", source, part.items.clone(), tile.load())
                .bind_part("TARGET", target, Access::Write, part.items.clone());
            let pass = states.bind(pass);
            let pass = match blocks {
                Some(blocks) => blocks.bind_to(pass),
                None => pass,
            };
            let pass = pass
                .define("EXCLUSIVE", kind == ScanKind::Exclusive)
                .define("SPINS", self.teaching.spins(self.spins))
                .set("u_part", Uniform::Int(part.number as i32))
                .moves(
                    tile.readings() * (part.words + tile.head_words(part)) + looked * state,
                    part.words + published * state,
                )
                .adds(
                    part.tiles * (tile.scan_adds() + tile.store_adds() + found * u64::from(tile.tuple)),
                    tile.depth() + tiles,
                )
                .at_most(AtMost::READ | AtMost::WRITTEN | AtMost::ADDS);
            // A chain does not look back.
            let pass = if is_chain {
                pass
            } else {
                pass.define("LOOKS_LATE", blocks.is_none() && layout.words() > CROWDED)
            };
            let pass = self.teaching.apply(pass, part.tiles);
            // A prefix is part of everything.
            if self.teaching.withhold == Withhold::All {
                pass.define("WITHHOLDS_PREFIX", 1);
            }
        }
        Ok(target)
    }
}

/// The tiles that publish their prefix: the sum of their items and of all before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Prefixes {
    /// The last one of each block for floats, and on GPUs where a state is of several words; else every one.
    #[default]
    Auto,
    /// Every one, as in the paper. The last bits of floats differ from run to run.
    Every,
    /// The last one of each block of tiles, so that floats have the same bits in every run.
    Block,
}

named!(Prefixes { Auto: "auto", Every: "every", Block: "block" });

impl Prefixes {
    pub(crate) const PARAMETER: Parameter = Parameter {
        name: "prefixes",
        about: "the tiles that publish a prefix: every one, as in the paper, or the last of each block, so that floats have \
                the same bits in every run; auto is block for floats, and on GPUs for tuples and items of several words",
        default: "auto",
        candidates: Candidates::NONE,
        domain: Domain::words(Prefixes::WORDS),
    };

    /// The parameter in these arguments.
    pub(crate) fn of(arguments: &Arguments) -> Prefixes {
        arguments.variant("prefixes", &Prefixes::ALL, Prefixes::name).unwrap_or_default()
    }

    /// Notes what differs from the default as a parameter of the algorithm that is being built.
    pub(crate) fn note_parameters(self, plan: &mut Plan) {
        if self != Prefixes::Auto {
            plan.note_parameter("prefixes", self.name());
        }
    }

    /// The blocks of so many tiles, each of a group of this size; `None` if every tile publishes its prefix. A state is of
    /// `words` words, and is one of floats if `float` is set.
    pub(crate) fn blocks(
        self,
        group: u32,
        tiles: u64,
        words: u32,
        float: bool,
        device: &Device,
    ) -> Result<Option<TileBlocks>, Unsupported> {
        let wanted = match self {
            Prefixes::Auto => float || words > 1 && !device.software,
            Prefixes::Every => false,
            Prefixes::Block => true,
        };
        // Two blocks have a tile for each invocation. llvmpipe (Mesa 22.3.6) computes wrong prefixes in groups of 2 and 4, whose
        // invocations leave the loop that waits in different turns.
        let least = if device.software { 8 } else { 2 };
        if self == Prefixes::Block && group < least {
            return Err(Unsupported::request(format!(
                "prefixes=block needs work groups of at least {least} invocations on this device"
            )));
        }
        let blocks = TileBlocks { len: u64::from(group / 2), tiles, software: device.software };
        Ok((wanted && group >= least).then_some(blocks))
    }
}

/// Whether a group takes a ticket for its tile, or the tile of its own number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tickets {
    /// Groups take them, except where they start in the order of their numbers. There they do, too, if the stream is long and only the
    /// last tile of each block publishes its prefix.
    #[default]
    Auto,
    /// Every group takes one, in the order in which groups begin.
    On,
    /// None does.
    Off,
}

named!(Tickets { Auto: "auto", On: "on", Off: "off" });

impl Tickets {
    pub(crate) const PARAMETER: Parameter = Parameter {
        name: "tickets",
        about: "whether a group takes a ticket for its tile, in the order in which groups begin, or the tile of its own number, \
                which is faster where groups begin in that order; auto is off on NVIDIA's GPUs, and with \
                prefixes=block only up to 2^22 words",
        default: "auto",
        candidates: Candidates::NONE,
        domain: Domain::words(Tickets::WORDS),
    };

    /// The parameter in these arguments.
    pub(crate) fn of(arguments: &Arguments) -> Tickets {
        arguments.variant("tickets", &Tickets::ALL, Tickets::name).unwrap_or_default()
    }

    /// Notes what differs from the default as a parameter of the algorithm that is being built.
    pub(crate) fn note_parameters(self, plan: &mut Plan) {
        if self != Tickets::Auto {
            plan.note_parameter("tickets", self.name());
        }
    }

    /// Returns true if groups take tickets for a stream of so many words. The last tile of each block alone publishes its prefix if
    /// `by_block` is set. To compute all tiles takes a group so many turns of its loops.
    ///
    /// Errors if groups take none, and a device that runs on the CPU may end one before it has computed all tiles.
    pub(crate) fn are_taken(
        self,
        by_block: bool,
        words: u64,
        turns: u64,
        device: &Device,
    ) -> Result<bool, Unsupported> {
        let taken = match self {
            Tickets::Auto => !device.starts_groups_in_order() || by_block && words > UNTICKETED,
            Tickets::On => true,
            Tickets::Off => false,
        };
        if taken || !device.software || turns <= ITERATIONS {
            return Ok(taken);
        }
        Err(Unsupported::too_large(
            "without tickets a work group may have to compute all tiles, and this device ends it before; leave tickets=off out, or \
             use a shorter stream",
        ))
    }
}

/// Blocks of tiles: `glsl/scan/common/prefix_of_block.glsl`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TileBlocks {
    /// Tiles in a block.
    len: u64,
    /// Tiles in the stream.
    tiles: u64,
    /// True if the device is a CPU.
    software: bool,
}

impl TileBlocks {
    /// Blocks whose last tile is in the stream.
    pub fn count(&self) -> u64 {
        self.tiles / self.len
    }

    /// The states that so many tiles look at, from `first` on, and those that they publish.
    pub fn states_of(&self, first: u64, tiles: u64) -> (u64, u64) {
        // Up to a tile: those in its block before it, those of the block before, and a prefix before that.
        let looked = |end: u64| {
            let (blocks, rest) = (end / self.len, end % self.len);
            let before = |count: u64| count * count.saturating_sub(1) / 2;
            blocks * before(self.len)
                + before(rest)
                + end.saturating_sub(self.len) * self.len
                + end.saturating_sub(2 * self.len)
        };
        let end = first + tiles;
        (looked(end) - looked(first), tiles + end / self.len - first / self.len)
    }

    /// Tells a pass of the blocks.
    pub fn bind_to<'p>(&self, pass: DispatchRecorder<'p>) -> DispatchRecorder<'p> {
        pass.define("BLOCK", self.len as i64)
            .define("LOOKS_AGAIN", self.software)
            .set("u_prefixes", Uniform::Int(self.tiles as i32))
    }
}

/// merrill2016.
static LISTING: PseudoCode = PseudoCode {
    title: "Decoupled look-back",
    sources: &["merrill2016", "maleki2016"],
    corrected: "",
    text: "
      clear, scan/common/clear     | no tile has published anything
                                   | for each tile in parallel, in the order in which groups begin
      scan, scan/look_back/scan    |   load and scan the tile
      scan, scan/look_back/scan    |   publish its aggregate
      scan, scan/look_back/scan    |   look back: add up the aggregates of earlier tiles
      scan, scan/look_back/scan    |     until one has published its prefix
      scan, scan/look_back/scan    |   publish the prefix
      scan, scan/look_back/scan    |   write prefix + scanned
",
};
