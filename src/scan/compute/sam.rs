//! SAM: persistent work groups that take one chunk of the stream after the other, in a single pass.
//!
//! Source: maleki2016, chapter 4. Work: about 2n words moved, at every order: 2.0 at order 8, where eight scans by
//! `look_back` move 16.0. Steps: one pass over the stream, and, once in many runs, one that clears the states.
//! Wins: on GPUs for integers of 32 bits above 2^26 items, for pairs of them from 2^24 on, for scans of order 2 and 3 below
//! 2^26, and, up to 2^24 items, for higher orders and tuples of 4 and 8; beyond, `reduce_then_scan` is faster for these. H100: 3.1 and 3.4 times
//! as fast as eight passes of `look_back` at order 8 of 2^22 and 2^26 items (`docs/results.md`).
//!
//! ```text
//! k groups, each: for its chunks, one after the other
//!   load the chunk
//!   for each order
//!     scan the chunk; publish its sum in a circular buffer of 3k
//!     read the sums of the chunks since the group's last one, all at once; add them to what it carried
//!     add that to the chunk
//!   write the chunk
//! ```
//!
//! *One exchange for all orders.* For adds of integers, what the sums before a chunk add to it is a product with binomial
//! coefficients. So a group scans its chunk in all orders at once, as if nothing were before it, and all its last sums
//! travel together (`exchange=once`, `linear.rs`). Linear recurrences go the same way ([`Recurrence`](crate::Recurrence)).
//! "No single-step solution exists that we are aware of", says the thesis of higher orders (section 4.4); maleki2018 then
//! found one for linear recurrences. For operators that do not add, and for floats, the exchanges stay.
//!
//! Every run gives floats the same bits: the sum that a group carries is added up in the order of the chunks.
//!
//! *How many groups.* Persistent groups that are few and large seem to be in the same phase: they load, then they wait for
//! the last one's sum, then they write. In long streams of integers, if a chunk has at most two words of sums, there are many
//! small ones, in different phases, and 2^28 words take 15% longer than a copy (H200; `look_back` 18%). Each chunk then has
//! more sums to read, 0.6n words in all, which lie in the cache.
//!
//! The paper leaves the best length of a chunk to an auto-tuner (section 2.1), here the one of `rasterscan-lab`. Its
//! findings are in [`Device::tuning`]; without any, built-in defaults hold.
//!
//! Deviations from the paper:
//! 1. Chunks are handed out by tickets. With all groups at work that is the paper's every k-th chunk; but no group
//!    waits for one that has not begun, since that has no chunk.
//! 2. Waiting ends after a bounded number of looks. Then the group scans the chunks since its last one itself, in all
//!    orders, and carries the result.
//! 3. Each order has sums of its own, as in the authors' code (SAM 1.1, 2016). The text has one array for all orders, in
//!    which a fast group would overwrite the sum of an order that a slow one has not read.
//! 4. Ready counts stand beside the sums, word by word, and count the rounds of the buffer.
//! 5. For teaching, work groups take turns and chunks withhold their sums (`teaching.rs`). In turns, a group keeps what
//!    it carries in memory.
//! 6. Streams longer than a binding are scanned in parts, and so are long ones on CPUs, where llvmpipe ends an
//!    invocation after 65,535 iterations of all its loops. The carried sum goes from part to part in a buffer with two
//!    places: a group that is late still reads the sum before its part when others have written the one after it.
//! 7. On a CPU an invocation reads a large chunk of order 1 twice (`tile.rs`, in series): 3n words.
//!
//! Compared with Decoupled Fallback (smith2025; the points of [`super::LookBack`] hold): a group carries the sum up to
//! its last chunk, so it never goes back further than that. It scans the missing chunks instead of reducing them,
//! because a chunk's sum of a higher order depends on all chunks before it. Groups stay, and if fewer run at once than
//! were started, those that run take all chunks.

use super::linear::Exchange;
use super::teaching::Teaching;
use super::tile::{self, StreamWords, Tile, TileOptions, Tuples};
use super::{Round, States};
use crate::algorithm::{
    Algorithm, Built, Candidates, Card, Domain, Era, Need, NumberRange, Parameter, PseudoCode, Variants,
};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Access, AtMost, Lanes, Layout, Plan, Slot, Uniform};
use crate::scan::shader;
use crate::scan::system::{System, one_exchange_is_light};
use crate::scan::{Heads, ScanKind, ScanSpec, option_passes};
use crate::tuning::Shape;
use crate::tuning::table::sam::{
    GROUP_OF_MANY, HIGH, LONG, MANY_OF_SINGLES, MANY_PER_PROCESSOR, SHORT, VECTORS_OF_SHORT,
};
use crate::unsupported::Unsupported;

pub static CARD: Card = Card {
    name: "sam",
    problem: &crate::scan::PROBLEM,
    era: Era::Compute,
    needs: Need::Compute,
    summary: "one pass, 2n words at any order: persistent groups carry sums from chunk to chunk",
    sources: &["maleki2016"],
    passes: "2, of which one clears; 2n words at any order",
    work: "4n or 5n",
    parameters: &[
        TileOptions::PARAMETERS[0],
        Teaching::GROUP,
        Parameter {
            candidates: Candidates {
                numbers: &[1, 2, 4, 6, 8, 10, 12, 16, 24, 32, 48, 64],
                shapes: &[Shape::PLAIN, Shape::HIGHER_ORDER],
                ..TileOptions::PARAMETERS[2].candidates
            },
            ..TileOptions::PARAMETERS[2]
        },
        Parameter {
            name: "groups",
            about: "persistent work groups",
            default: "auto",
            candidates: Candidates::NONE,
            domain: Domain::numbers(NumberRange { min: 1, max: 4096, powers_of_two: false }, &["auto"]),
        },
        Exchange::parameter(
            "how groups exchange sums of higher orders: once for all, if they are adds of integers, or once for each; auto is \
             once for recurrences and, on GPUs, for short streams and from order 8 on, else each",
        ),
        Teaching::TURNS,
        Teaching::withhold(
            &["none", "all"],
            "for teaching: all publishes no sums, so that every group computes the chunks of the others again",
        ),
    ],
    variants: Variants {
        all: &["vectors=1,groups=2", "lanes=warp"],
        some: &[
            "",
            "lanes=serial,group=16,vectors=1,groups=1",
            "vectors=2,groups=7",
            "lanes=shared,group=8,vectors=2,groups=7",
            "lanes=shared,group=64,vectors=1,groups=1",
            "lanes=subgroup",
            "exchange=once",
            "exchange=once,lanes=shared,group=8,vectors=3,groups=7",
            "exchange=once,lanes=subgroup,vectors=2",
        ],
    },
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| {
        Built::of(Sam {
            tile: TileOptions::of(arguments),
            groups: arguments.number("groups"),
            exchange: Exchange::of(arguments),
            teaching: Teaching::of(arguments),
        })
    },
};

/// SAM.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sam {
    /// The choices of lanes, group size and vectors.
    pub tile: TileOptions,
    /// Persistent groups; `None` is two for each of the device's processors, eight small ones in long streams of few sums, on
    /// CPUs one.
    pub groups: Option<u32>,
    /// How groups exchange sums of higher orders; auto is once for recurrences and, on GPUs, for short streams of several
    /// orders or tuples and from order 8 on.
    pub exchange: Exchange,
    /// What is done for teaching. A chunk has no prefix to withhold.
    pub teaching: Teaching,
}

/// Failed polls of an invocation, in all. llvmpipe counts these polls as iterations.
fn spins(device: &Device) -> i64 {
    if device.software { 1000 } else { 1 << 24 }
}

/// The buffers that one exchange binds.
const BINDINGS: u32 = 5;

/// Loop iterations that an invocation may make on a CPU: llvmpipe ends it after 65,535, and polls count.
const ITERATIONS: u64 = 60_000;

impl Algorithm<ScanSpec> for Sam {
    fn name(&self) -> &'static str {
        "sam"
    }

    fn handles_natively(&self, spec: &ScanSpec, device: &Device) -> bool {
        // Its groups stay, and count chunks themselves.
        let all = ScanSpec { has_gpu_length: false, ..spec.clone() };
        let one = spec.has_gpu_length || spec.recurrence.is_some();
        one && all.is_one_stream() || tile::handles_natively(&all, device)
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &ScanSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        self.tile.note_parameters(plan);
        self.groups.iter().for_each(|groups| plan.note_parameter("groups", groups));
        self.exchange.note_parameters(plan);
        self.teaching.note_parameters(plan);
        if spec.len == 0 {
            return Ok(vec![inputs[0]]);
        }
        let heads = option_passes::heads(plan, spec, inputs, device)?;
        plan.with_item(option_passes::inner(spec), |plan| {
            let layout = *plan.layout(inputs[0]);
            let system = self.system(spec, heads, &layout, device)?;
            Ok(vec![self.scan(plan, spec, inputs, heads, system, device)?])
        })
    }
}

impl Sam {
    /// Rows that an invocation takes in a scan of this spec: the caller's choice, else the device's tuning, else the
    /// built-in default.
    ///
    /// Errors: as [`Algorithm::plan`].
    pub fn vectors(&self, spec: &ScanSpec, device: &Device) -> Result<u32, Error> {
        spec.check()?;
        let layout = Layout::in_buffer(device, spec.element, spec.operator.arity(), spec.len)?;
        let round = Round { tuple: spec.tuple, kind: spec.kind, heads: Heads::None };
        Ok(match self.system(spec, Heads::None, &layout, device)? {
            Some(system) => self.runs(&layout, spec.tuple, &system, device)?.vectors,
            None => self.chunk(&layout, round, spec.order, device)?.vectors,
        })
    }

    /// The linear system of a scan, if one exchange is to do for it.
    fn system(
        &self,
        spec: &ScanSpec,
        heads: Heads,
        layout: &Layout,
        device: &Device,
    ) -> Result<Option<System>, Unsupported> {
        let several = spec.order > 1 || spec.tuple > 1;
        let high = spec.tuple == 1 && spec.order >= HIGH;
        let faster =
            several && (spec.len <= SHORT || high) && one_exchange_is_light(spec) && !device.software;
        // It needs more shared memory than the rounds, and one buffer more.
        let bound = device.compute.as_ref().is_some_and(|compute| compute.max_bindings >= BINDINGS);
        System::of_one_exchange(self.exchange, spec, heads, |system| {
            let fits = |tile: Tile| system.check_shared_memory(&tile, spec.tuple, device).is_ok();
            faster && bound && self.runs(layout, spec.tuple, system, device).is_ok_and(fits)
        })
    }

    /// The tile that a group takes as a chunk where lanes have runs of whole tuples.
    fn runs(
        &self,
        layout: &Layout,
        tuple: u32,
        system: &System,
        device: &Device,
    ) -> Result<Tile, Unsupported> {
        let options = TileOptions { group: self.tile.group.or(group(device, self.tile)), ..self.tile };
        // Rows are measured at order 4, by the default exchange. That is once for short streams on a GPU.
        let shape = Shape { higher_order: true, tuples: false };
        let short = matches!(system, System::Sums(2..=4)) && tuple == 1 && layout.words() <= SHORT;
        let measured = short && !device.software;
        let tuned = measured.then(|| self.tile.tuned_vectors(device, "scan", "sam", shape, layout.words()));
        let options = TileOptions { vectors: options.vectors.or(tuned.flatten()), ..options };
        system.tile(options, layout, tuple, device)
    }

    /// The vectors of 16 bytes that suit many small groups, if the scan suits them.
    fn rows_of_many(&self, layout: &Layout, round: Round, order: u32, device: &Device) -> Option<u32> {
        let sums = words_of_sums(layout, round, order);
        let few = sums <= 2 && round.heads == Heads::None && !layout.element.is_float();
        let open = self.groups.is_none() && self.tile.leave_groups_to_a_gpu(device);
        (layout.words() > LONG && few && open).then_some(match (sums, order) {
            (2, 2) => 12,
            _ => 8,
        })
    }

    /// The tile that a group takes as a chunk.
    fn chunk(&self, layout: &Layout, round: Round, order: u32, device: &Device) -> Result<Tile, Unsupported> {
        let (words, tuple) = (StreamWords::of(layout), round.tuple);
        let many = self.rows_of_many(layout, round, order, device);
        let usual = if many.is_some() { Some(GROUP_OF_MANY) } else { group(device, self.tile) };
        let options = TileOptions { group: self.tile.group.or(usual), ..self.tile };
        let tile = Tile::of_any_group(device, options, words, tuple, Tuples::Strided)?;
        let shape = Shape { higher_order: order > 1, tuples: false };
        let tuned = self.tile.tuned_vectors(device, "scan", "sam", shape, words.all);
        let single = words_of_sums(layout, round, order) == 1 && round.heads == Heads::None;
        let short = single && words.all <= SHORT && self.tile.leave_groups_to_a_gpu(device);
        let tuned = match many {
            _ if self.tile.vectors.is_some() => None,
            // Only of single words are vectors measured with such groups.
            Some(vectors) => tuned.filter(|_| single).or(Some(vectors)),
            None => tuned.or(short.then_some(VECTORS_OF_SHORT)),
        };
        // Orders after the first need the items of the one before.
        let in_series =
            |tile: Tile, open| if order == 1 { tile.in_series(open, layout, device) } else { tile };
        if let Some(vectors) = tuned {
            let tile = in_series(tile.with_vectors_of_16_bytes(Some(vectors)), false);
            if most_chunks(device, tile.iterations(order, device)) > 0 {
                return Ok(tile);
            }
        } else if order > 1 && self.tile.vectors.is_none() && tile.lanes != Lanes::Serial {
            // Larger chunks have fewer sums, and each order waits for them.
            return Tile::new(
                device,
                TileOptions { vectors: Some(2 * tile.vectors), ..options },
                words,
                tuple,
                Tuples::Strided,
            );
        }
        Ok(in_series(tile, self.tile.vectors.is_none()))
    }

    /// Adds a scan of any order, or of a linear system, in one pass; returns the slot of the result.
    fn scan(
        &self,
        plan: &mut Plan,
        spec: &ScanSpec,
        inputs: &[Slot],
        heads: Heads,
        system: Option<System>,
        device: &Device,
    ) -> Result<Slot, Unsupported> {
        let source = inputs[0];
        let length = inputs.last().copied().filter(|_| spec.has_gpu_length);
        let (tuple, kind) = (spec.tuple, spec.kind);
        let round = Round { tuple, kind, heads };
        let compute = Unsupported::unless_compute(device, "sam")?;
        let layout = *plan.layout(source);
        let words = layout.words_per_texel();
        let float = layout.element.is_float();
        let commutes = plan.item().operator.commutes();
        let order = system.as_ref().map_or(spec.order, System::order);
        let carried = order * tuple;
        let tile = match &system {
            Some(system) => {
                let tile = self.runs(&layout, tuple, system, device)?;
                system.check_shared_memory(&tile, tuple, device)?;
                tile
            }
            None => {
                let tile = self.chunk(&layout, round, order, device)?.split(&layout, heads, device)?;
                let tile = if self.tile.vectors.is_none() { tile.with_room_for_flags() } else { tile };
                let side_input = 3 * carried + if float { tile.group } else { tile.warps() * tuple };
                tile.check_shared_memory(compute, side_input)?;
                tile
            }
        };
        // Words that a chunk publishes.
        let sums = u64::from(carried / tile.tuple) * tile.sum_words();
        let linear = system.as_ref().map(|system| {
            let run = System::run(&tile, tuple);
            (system, system.powers_of(plan, layout.element, tile.group, run, tile.group + 1))
        });

        let many = system.is_none() && self.rows_of_many(&layout, round, order, device).is_some();
        let per_processor = match (device.software, many) {
            (true, _) => 1,
            (_, true) if words_of_sums(&layout, round, order) == 1 => MANY_OF_SINGLES,
            (_, true) => MANY_PER_PROCESSOR,
            _ => 2,
        };
        let groups = u64::from(self.groups.unwrap_or(per_processor * compute.processors).max(1));
        let ring = (3 * groups).next_power_of_two();
        let iterations = match &system {
            Some(system) => system.iterations(&tile, tuple, device),
            None => tile.iterations(order, device),
        };
        let most = most_chunks(device, iterations).max(1);
        let parts = tile.parts_of(&layout, device, most.saturating_mul(tile.items()))?;
        self.teaching.check(&tile, tile.count(layout.len), order, device)?;
        let in_turns = self.teaching.in_turns();
        let tickets = parts.len() as u64;
        let chunks = tile.count(layout.len);
        // Of all parts, which end with a chunk each.
        let ring_turns = (chunks + tickets).div_ceil(ring) + 1;
        let runs = if in_turns { 1 } else { (u64::from(u16::MAX) / ring_turns).max(1) as u32 };
        let states = States::cleared(plan, tickets, ring * sums, runs);
        let arity = layout.arity + u32::from(heads != Heads::None);
        // Of a part and of the next. In turns, each group keeps what it carries in memory.
        let kept = u64::from(carried) * if in_turns { 2 + groups } else { 2 };
        let carries = plan.slot("carries", Layout::buffer(layout.element, arity, kept));
        let target = plan.slot("scanned", layout);
        for part in &parts {
            // Each chunk's sums are written once, and read by all groups but one.
            let sums = part.tiles * 2 * sums;
            let readers = (groups - 1).clamp(1, part.tiles);
            let carry =
                u64::from(carried * (words + if heads == Heads::None { 0 } else { layout.element.words() }));
            let [first, last] = [part.number == 0, part.number + 1 == parts.len()];
            let carries_read = if first { 0 } else { carry * groups };
            let carries_written = if last { 0 } else { carry };
            let groups = groups.min(part.tiles);
            let turns = if in_turns { carry * part.tiles } else { 0 };
            let resumed = if in_turns { carry * (part.tiles - groups) } else { 0 };
            let adds = match &system {
                Some(system) => system.adds(&tile, tuple) + system.adds_to_gather(&tile, tuple, readers),
                None => {
                    u64::from(order)
                        * (tile.scan_adds() + tile.store_adds() + gathering(&tile, tuple, readers))
                }
            };
            let depth = match &system {
                // A group goes from one of its chunks to the next.
                Some(system) => part.tiles.div_ceil(groups) * system.depth_to_gather(&tile, tuple, readers),
                None => u64::from(order) * (tile.depth() + chunks),
            };
            let pass = tile.dispatch_groups(
                plan,
                "scan",
                shader!(
                    "scan/sam/scan.comp",
                    "scan/common/linear.glsl",
                    "scan/sam/exchange.glsl",
                    "scan/sam/rounds.glsl"
                ),
                part,
                groups,
            );
            let pass = pass
                .over_length(length, part.items.start)
                .bind_loads("SOURCE", source, part.items.clone(), tile.load())
                .bind_part("TARGET", target, Access::Write, part.items.clone());
            let pass = states
                .bind(pass)
                .bind("CARRIES", carries, if first { Access::Write } else { Access::Update })
                .define("EXCLUSIVE", kind == ScanKind::Exclusive)
                .define("IN_ORDER", float)
                .define("RING", ring as i64)
                .define("SPINS", self.teaching.spins(spins(device)))
                .define("LOOKS_AGAIN", device.software)
                .set("u_ring_turns", Uniform::Int(ring_turns as i32))
                .set("u_part", Uniform::Int(part.number as i32))
                .set("u_chunks", Uniform::Int(part.tiles as i32))
                .set("u_last", Uniform::Int(i32::from(last)))
                .moves(
                    tile.readings() * (part.words + tile.head_words(part))
                        + sums * readers
                        + carries_read
                        + resumed,
                    part.words + sums + carries_written + turns,
                )
                .adds(part.tiles * adds, depth)
                .at_most(AtMost::READ | AtMost::WRITTEN | AtMost::ADDS);
            let pass = match linear {
                Some((system, powers)) => system
                    .bind_to(pass.define("LINEAR", true), powers, tuple)
                    .moves(system.words_read(&tile, layout.element) * part.tiles, 0),
                None => pass.define("ORDER", order).define("COMMUTES", commutes),
            };
            self.teaching.apply(pass, part.tiles);
        }
        Ok(target)
    }
}

/// Uses of the operator to gather the sums of so many chunks in one order, and to carry them.
fn gathering(tile: &Tile, tuple: u32, readers: u64) -> u64 {
    let [group, warps, tuple] = [tile.group, tile.warps(), tuple].map(u64::from);
    let members = u64::from(tile.tuple.min(tile.vector));
    let batches = readers.div_ceil(group);
    let of_batches = batches * tile.adds_of_lanes() + batches.saturating_sub(1) * group * warps;
    // In order, each sum is added on its own.
    let gathered = tuple * of_batches.max(readers);
    gathered + warps * (group * members + tuple) + tuple
}

/// Words of the sums of a chunk.
fn words_of_sums(layout: &Layout, round: Round, order: u32) -> u32 {
    order.saturating_mul(round.tuple).saturating_mul(layout.words_per_texel())
}

/// Large groups on GPUs: with few chunks at a time there are few sums to read.
fn group(device: &Device, options: TileOptions) -> Option<u32> {
    let serial = options.lanes.map_or(device.software, |lanes| lanes == Lanes::Serial);
    let most = device.compute.as_ref()?.max_invocations;
    (!serial).then_some(most.min(512))
}

/// The most chunks of a part, if an invocation makes so many iterations to scan one: on a CPU one group may have to scan
/// all chunks of it, and most of them twice. 0 if a single one is too much.
fn most_chunks(device: &Device, iterations: u64) -> u64 {
    if !device.software {
        return u64::MAX;
    }
    let looks = spins(device) as u64;
    (ITERATIONS - looks) / (2 * iterations)
}

/// maleki2016, chapter 4.
static LISTING: PseudoCode = PseudoCode {
    title: "SAM",
    sources: &["maleki2016"],
    corrected: "By the text, all orders share one array of sums, which a fast group could overwrite too early; the authors' code \
                has one for each.",
    text: "
      clear, scan/common/clear   | no chunk has published anything
                                 | k groups, each: for its chunks, one after the other
      scan, scan/sam/scan        |   load the chunk
      scan, scan/sam/scan        |   for each order
      scan, scan/sam/scan        |     scan the chunk
      scan, scan/sam/scan       !|     publish its sum, in an array of this order
      scan, scan/sam/scan        |     read the sums of the chunks since the group's last one
      scan, scan/sam/scan        |     add them to what is carried, and that to the chunk
      scan, scan/sam/scan        |   write the chunk
",
};
