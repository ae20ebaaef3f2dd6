//! Tiles: the pieces of a stream that work groups hold in registers, and the parameters of
//! `glsl/scan/common/tile.glsl`.
//!
//! All scans of the compute era except `harris` and `capannini` use them. Each warp (`src/plan/lanes.rs`) has a
//! contiguous piece of a tile: rows of lanes, and each lane a *vector* of items side by side, 16 bytes where possible.
//! For warps of 4 lanes, 3 rows, and vectors of 4:
//!
//! ```text
//!          lane 0         lane 1         lane 2         lane 3
//! row 0     0  1  2  3     4  5  6  7     8  9 10 11    12 13 14 15
//! row 1    16 17 18 19    20 21 22 23    24 25 26 27    28 29 30 31
//! row 2    32 33 34 35    36 37 38 39    40 41 42 43    44 45 46 47
//! ```
//!
//! Neighbouring lanes read neighbouring vectors, which suits the memory, and a lane loads all its rows at once. The
//! scan goes along each vector, along the lanes of each row in log2 steps, along the rows, and along the warps, the
//! last through shared memory. With serial lanes the vectors of an invocation follow one another, and it scans them in
//! order. On a CPU single passes take long streams *in series*: an invocation goes over its vectors twice, for their sum
//! and for the result, and holds one at a time. The second time they come from the cache.
//!
//! In tuples, the items at one position of all tuples are a *member*, and each member is scanned alone. A tile takes
//! tuples *whole* or *strided*. Whole, a vector holds whole tuples, as if they were elements of a larger type; large
//! tuples make long vectors, which neighbouring lanes no longer read side by side. Strided, as in `sam`, a vector stays
//! at 16 bytes and a tuple lies across lanes: with tuples of 8 words, every other lane has the same members, and sums
//! go from a lane to the one after the next. Lanes that are left over, 2 of 32 with tuples across 3, have no items.
//!
//! # What a shader can call
//!
//! | name | meaning |
//! | --- | --- |
//! | `GROUP` | invocations in a work group: `layout(local_size_x = GROUP) in;` |
//! | the names of bindings | their numbers: `layout(std430, binding = SOURCE) readonly buffer ...` |
//! | `u_groups` | the work groups that were asked for; groups from there on return before anything else |
//! | `group_index()`, `sync_group()` | `common/group.glsl` |
//! | `Item`, `identity()`, `combine()` | `common/item.glsl`; `words_of_item()` and `item_of_words()` for memory |
//! | `LANES`, `lane_index()`, `lane_up()` ... | `#include <lanes>`, after `common/sums/items.glsl` or `common/sums/counts.glsl` |
//! | `load_tile()`, `scan_tile()`, `store_tile()` | `scan/common/tile.glsl`, `scan/common/store.glsl` |
//! | `publish()`, `look_at()`, `take_ticket()` | `scan/common/states.glsl`, for a single pass |

use std::ops::Range;

use super::Round;
use crate::algorithm::{Arguments, Candidates, Domain, NumberRange, Parameter};
use crate::device::{Compute, Device};
use crate::plan::{Access, DispatchRecorder, Lanes, Layout, Plan, Shader, Slot, Uniform};
use crate::scan::{Heads, ScanSpec, Segments};
use crate::tuning::Shape;
use crate::tuning::table::tile::{
    GROUP, LONG, SERIAL_GROUP, SERIAL_WORDS, SERIAL_WORDS_OF_OTHERS, SERIAL_WORDS_OF_SHORT,
    VECTORS_IN_SERIES, WORDS,
};
use crate::unsupported::Unsupported;

/// The caller's choices for a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TileOptions {
    /// The way in which invocations exchange values; `None` is the fastest that the device has.
    pub lanes: Option<Lanes>,
    /// Invocations in a work group: a power of two.
    pub group: Option<u32>,
    /// Vectors that an invocation takes, one in each row of its warp. `None` is the fastest number measured on the
    /// device, if nothing else is chosen, else a built-in default.
    pub vectors: Option<u32>,
}

impl TileOptions {
    /// The most vectors that a caller may ask for.
    pub const MOST_VECTORS: u32 = 64;

    /// The parameter of algorithms whose groups take a part of the stream each, of any length.
    pub(crate) const GROUPS: Parameter = Parameter {
        name: "groups",
        about: "work groups that share the stream",
        default: "auto",
        candidates: Candidates::NONE,
        domain: Domain::numbers(NumberRange { min: 1, max: 4096, powers_of_two: false }, &["auto"]),
    };

    /// The parameters of all algorithms that take the stream in tiles.
    pub(crate) const PARAMETERS: &[Parameter] = &[
        Parameter {
            name: "lanes",
            about: "how invocations exchange values; serial is for CPUs, subgroup and warp need extensions",
            default: "auto",
            candidates: Candidates::NONE,
            domain: Domain::words(Lanes::WORDS),
        },
        Parameter {
            name: "group",
            about: "invocations in a work group",
            default: "auto",
            candidates: Candidates::NONE,
            domain: Domain::numbers(NumberRange { min: 8, max: 1024, powers_of_two: true }, &["auto"]),
        },
        Parameter {
            name: "vectors",
            about: "vectors that an invocation takes, of 16 bytes or whole tuples; auto is tuned, or built in",
            default: "auto",
            candidates: Candidates::numbers(&[1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64]),
            domain: Domain::numbers(NumberRange { min: 1, max: 64, powers_of_two: false }, &["auto"]),
        },
    ];

    /// The options in these arguments.
    pub(crate) fn of(arguments: &Arguments) -> TileOptions {
        TileOptions {
            lanes: arguments.variant("lanes", &Lanes::ALL, Lanes::name),
            group: arguments.number("group"),
            vectors: arguments.number("vectors"),
        }
    }

    /// Notes the chosen options as parameters of the algorithm that is being built.
    pub(crate) fn note_parameters(&self, plan: &mut Plan) {
        self.lanes.iter().for_each(|lanes| plan.note_parameter("lanes", lanes.name()));
        self.group.iter().for_each(|group| plan.note_parameter("group", group));
        self.vectors.iter().for_each(|vectors| plan.note_parameter("vectors", vectors));
    }

    /// These options, with the vectors measured to be the fastest for one round of this scan.
    pub(super) fn tuned(self, algorithm: &'static str, stream: &Layout, device: &Device) -> TunedTile {
        let vectors = self.tuned_vectors(device, "scan", algorithm, Shape::PLAIN, stream.words());
        TunedTile { options: self, vectors, any_group: false, in_series: false }
    }

    /// True if the caller leaves lanes and groups to the device, and it is a GPU whose lanes exchange values. Groups that follow
    /// the length of the stream were measured on such.
    pub(crate) fn leave_groups_to_a_gpu(&self, device: &Device) -> bool {
        let exchange = matches!(Lanes::best(device), Lanes::Warp | Lanes::Subgroup);
        exchange && self.lanes.is_none() && self.group.is_none()
    }

    /// Rows of 16 bytes measured to be the fastest for an algorithm over a stream of this many words; `None` without
    /// measurements, or if the caller has chosen anything: only the device's own lanes and groups were measured.
    pub(crate) fn tuned_vectors(
        self,
        device: &Device,
        problem: &'static str,
        algorithm: &'static str,
        shape: Shape,
        words: u64,
    ) -> Option<u32> {
        let open = self == TileOptions::default();
        open.then(|| device.tuning.parameter(problem, algorithm, "vectors", shape, words)).flatten()
    }

    /// The tile of the chosen vectors for items of this many words; tuples are taken whole.
    pub(crate) fn whole(self, device: &Device, item_words: u32, tuple: u32) -> Result<Tile, Unsupported> {
        let words = StreamWords { item: item_words, all: u64::MAX };
        Tile::new(device, self, words, tuple, Tuples::Whole)
    }
}

/// Words of a stream: they decide how many vectors a tile has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StreamWords {
    /// Those of an item.
    pub item: u32,
    /// Those of all items.
    pub all: u64,
}

impl StreamWords {
    /// The words of a stream of this layout.
    pub fn of(stream: &Layout) -> StreamWords {
        StreamWords { item: stream.words_per_texel(), all: stream.words() }
    }
}

/// Options, and the vectors of 16 bytes measured to be the fastest, if any.
#[derive(Debug, Clone, Copy)]
pub(super) struct TunedTile {
    /// The caller's choices.
    pub options: TileOptions,
    /// Rows of 16 bytes, if the caller has chosen none.
    pub vectors: Option<u32>,
    /// True if groups may be smaller than usual.
    pub any_group: bool,
    /// True if an invocation of a CPU may go over its vectors twice ([`Tile::in_series`]).
    pub in_series: bool,
}

impl TunedTile {
    /// The tile of whole tuples for a stream.
    ///
    /// Errors: as [`Tile::new`].
    pub fn of_stream(self, stream: &Layout, round: Round, device: &Device) -> Result<Tile, Unsupported> {
        let of_options = if self.any_group { Tile::of_any_group } else { Tile::new };
        let words = StreamWords::of(stream);
        let tile = of_options(device, self.options, words, round.tuple, Tuples::Whole)?;
        let tile = tile.with_vectors_of_16_bytes(self.vectors.filter(|_| self.options.vectors.is_none()));
        let open = self.vectors.or(self.options.vectors).is_none();
        let tile = if self.in_series { tile.in_series(open, stream, device) } else { tile };
        let tile = tile.split(stream, round.heads, device)?;
        Ok(if self.options.vectors.is_none() { tile.with_room_for_flags() } else { tile })
    }
}

/// The items of a tuple that an invocation takes together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tuples {
    /// Whole tuples, as if each were an element.
    Whole,
    /// 16 bytes, as far as tuples allow, so that neighbouring lanes read neighbouring words.
    Strided,
}

/// A tile: a piece of the stream that one work group holds in its registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tile {
    /// The way in which invocations exchange values.
    pub lanes: Lanes,
    /// Lanes in a warp.
    pub lane_count: u32,
    /// Invocations in a work group.
    pub group: u32,
    /// Vectors that an invocation takes.
    pub vectors: u32,
    /// Adjacent items of an invocation.
    pub vector: u32,
    /// Items in a tuple.
    pub tuple: u32,
    item_words: u32,
    /// Words of the flag that sums have besides an item's.
    flag_words: u32,
    /// Where scans begin anew.
    heads: Heads,
    /// Invocations that share the tile: the group, or one.
    sharers: u32,
    /// Pieces of warps in a row, where each scan is a row of whole ones.
    row_warps: Option<u64>,
    /// True if an invocation goes over its vectors twice, and holds one at a time.
    in_series: bool,
}

/// The most words that an invocation holds where it could take them in series.
const MOST_HELD: u32 = 64;
/// Of loop iterations, at least all but one in so many are unrolled.
pub(super) const UNROLLED: u64 = 3;
/// Rows of single items whose loops are unrolled whole.
const MOST_UNROLLED_VECTORS: u64 = 32;
/// The smallest group that a caller may ask for.
const SMALLEST_GROUP: u32 = 8;

impl Tile {
    /// The tile for a stream of these words.
    ///
    /// Errors: the device has no compute shaders, no such lanes, or no groups of that size.
    pub fn new(
        device: &Device,
        options: TileOptions,
        words: StreamWords,
        tuple: u32,
        tuples: Tuples,
    ) -> Result<Tile, Unsupported> {
        match options.group {
            Some(group) if group < SMALLEST_GROUP => Err(wrong_group(group, SMALLEST_GROUP)),
            _ => Tile::of_any_group(device, options, words, tuple, tuples),
        }
    }

    /// The same for groups of any size: a single pass has no sums to scan, so its tiles can be as small as an item. Smaller
    /// groups than usual have serial lanes: look_back with shared lanes and groups of 2 gave a wrong sum on llvmpipe, for a
    /// reason that was not found.
    ///
    /// Errors: as [`Self::new`].
    pub fn of_any_group(
        device: &Device,
        options: TileOptions,
        words: StreamWords,
        tuple: u32,
        tuples: Tuples,
    ) -> Result<Tile, Unsupported> {
        let compute = Unsupported::unless_compute(device, "this algorithm")?;
        let item_words = words.item;
        let small = options.group.is_some_and(|group| group < SMALLEST_GROUP);
        let best = || if small { Lanes::Serial } else { Lanes::best(device) };
        let lanes = options.lanes.unwrap_or_else(best);
        let serial = lanes == Lanes::Serial;
        let group =
            options.group.unwrap_or(if serial { SERIAL_GROUP } else { GROUP.min(compute.max_invocations) });
        if !group.is_power_of_two() {
            return Err(wrong_group(group, 1));
        }
        if small && !serial {
            return Err(Unsupported::parameter(format!(
                "work groups of fewer than {SMALLEST_GROUP} invocations need serial lanes, not {}; use \
                 lanes=serial, or a larger group",
                lanes.name()
            )));
        }
        if group > compute.max_invocations {
            return Err(Unsupported::too_large(format!(
                "work groups of {group} invocations are more than this device allows; use at most {}",
                compute.max_invocations
            )));
        }
        let Some(lane_count) = lanes.count(device, group) else {
            let name = lanes.name();
            let lacks = lacks(lanes);
            return Err(Unsupported::feature(format!(
                "this device has no {name} lanes: {lacks}; use lanes=shared or lanes=serial"
            )));
        };
        if !group.is_multiple_of(lane_count) {
            return Err(Unsupported::request(format!(
                "work groups of {group} invocations do not divide into warps of {lane_count} lanes; use at \
                 least {lane_count} invocations"
            )));
        }
        let most = (4 / item_words).max(1);
        let vector = match tuples {
            Tuples::Strided if !serial => {
                (1..=most).rev().find(|v| tuple.is_multiple_of(*v) || v.is_multiple_of(tuple)).unwrap_or(1)
            }
            _ => tuple * (most / tuple).max(1),
        };
        let words = match serial {
            true if words.all < LONG => SERIAL_WORDS_OF_SHORT,
            true if vector * item_words == 4 => SERIAL_WORDS,
            true => SERIAL_WORDS_OF_OTHERS,
            false => WORDS,
        };
        let vectors = options.vectors.unwrap_or((words / (vector * item_words)).max(1));
        if !(1..=TileOptions::MOST_VECTORS).contains(&vectors) {
            return Err(Unsupported::parameter(format!(
                "vectors cannot be {vectors}; expected 1 to {}",
                TileOptions::MOST_VECTORS
            )));
        }
        let (flag_words, heads) = (0, Heads::None);
        let tile = Tile {
            lanes,
            lane_count,
            group,
            vectors,
            vector,
            tuple,
            item_words,
            flag_words,
            heads,
            sharers: group,
            row_warps: None,
            in_series: false,
        };
        if tile.distance() > lane_count {
            return Err(Unsupported::too_large(format!(
                "tuples of {tuple} do not fit into warps of {lane_count} lanes; use smaller tuples, or an \
                 algorithm that takes them whole, such as look_back"
            )));
        }
        tile.check_shared_memory(compute, 0)?;
        Ok(tile)
    }

    /// The same with as many vectors as hold the words of this many vectors of 16 bytes; unchanged for `None`.
    pub fn with_vectors_of_16_bytes(self, vectors: Option<u32>) -> Tile {
        let fitting = |vectors: u32| {
            let vectors = vectors.saturating_mul(4) / (self.vector * self.item_words);
            vectors.clamp(1, TileOptions::MOST_VECTORS)
        };
        Tile { vectors: vectors.map_or(self.vectors, fitting), ..self }
    }

    /// The same whose invocations go over their vectors twice, and hold one at a time, if lanes are serial on a CPU and a
    /// piece is larger than what is held there. In long streams it is, if the number of vectors is `open`.
    ///
    /// The shader does not grow with the vectors. look_back took 0.6 s to compile and 2.1 ms to run where holding 96 words took
    /// 0.9 s and 3.8 ms; sam 2.8 ms instead of 5.7 (2^20 u32, llvmpipe, two cores).
    pub fn in_series(self, open: bool, stream: &Layout, device: &Device) -> Tile {
        if self.lanes != Lanes::Serial || !device.software {
            return self;
        }
        let long = open && stream.words() >= LONG;
        let tile = self.with_vectors_of_16_bytes(long.then_some(VECTORS_IN_SERIES));
        Tile { in_series: tile.vectors * tile.vector * tile.item_words > MOST_HELD, ..tile }
    }

    /// The number of times that a tile is read.
    pub fn readings(&self) -> u64 {
        1 + u64::from(self.in_series)
    }

    /// The same whose lanes have so many items each, in vectors as long as divide them.
    pub fn with_items_of_lanes(self, items: u32) -> Tile {
        let vector = (1..=self.vector).rev().find(|vector| items.is_multiple_of(*vector)).unwrap_or(1);
        Tile { vector, vectors: items / vector, ..self }
    }

    /// The same for a stream in which scans begin anew.
    ///
    /// Errors: the device has too little shared memory for sums with flags.
    pub fn split(self, stream: &Layout, heads: Heads, device: &Device) -> Result<Tile, Unsupported> {
        let flag_words = if heads == Heads::None { 0 } else { stream.element.words() };
        let tile = Tile { flag_words, heads, ..self };
        tile.check_shared_memory(Unsupported::unless_compute(device, "this algorithm")?, 0)?;
        Ok(tile)
    }

    /// The same for scans of rows of this many items, if these are whole pieces of warps: then no scan begins within a piece,
    /// and items need no flags.
    pub fn of_warp_rows(self, width: u64) -> Option<Tile> {
        let piece = self.items() / u64::from(self.warps());
        width.is_multiple_of(piece).then(|| Tile { row_warps: Some(width / piece), ..self })
    }

    /// The same with fewer vectors if a GPU holds flags beside them: with three quarters of its registers' items look_back took
    /// 1.10 times as long by rows as in one scan, with all of them 1.22 times (2^24 u32, H200).
    pub fn with_room_for_flags(self) -> Tile {
        let holds = self.heads != Heads::None && self.lanes != Lanes::Serial && self.vectors > 4;
        Tile { vectors: if holds { self.vectors / 4 * 3 } else { self.vectors }, ..self }
    }

    /// Errors if a group needs more shared memory than there is, for lanes, totals and `further` items.
    pub fn check_shared_memory(&self, compute: &Compute, side_input: u32) -> Result<(), Unsupported> {
        let lanes = if self.lanes == Lanes::Shared { self.group } else { 0 };
        let items = lanes + (self.warps() + 2) * self.tuple + side_input;
        let bytes = items * (self.item_words + self.flag_words) * 4 + 4 * lanes + 64;
        if bytes > compute.max_shared_memory {
            return Err(Unsupported::too_large(format!(
                "work groups of {} invocations need {bytes} bytes of shared memory, and this device has {}; \
                 use smaller groups or tuples, or a lower order",
                self.group, compute.max_shared_memory
            )));
        }
        Ok(())
    }

    /// The distance from a lane to the next one with items of the same members.
    fn distance(&self) -> u32 {
        (self.tuple / self.vector).max(1)
    }

    /// Lanes of a warp that have items.
    fn width(&self) -> u32 {
        self.lane_count / self.distance() * self.distance()
    }

    /// The same for tiles of a single invocation, with serial lanes: each group has many. A tile has at least two
    /// tuples: with one there would be as many sums as items.
    pub fn of_one_invocation(self) -> Tile {
        let vectors = if self.vector > self.tuple { self.vectors } else { self.vectors.max(2) };
        // Its shaders are others.
        Tile { sharers: 1, vectors, in_series: false, ..self }
    }

    /// Warps in a group.
    pub fn warps(&self) -> u32 {
        self.sharers / self.lane_count
    }

    /// Items in a tile.
    pub fn items(&self) -> u64 {
        u64::from(self.warps() * self.vectors * self.width() * self.vector)
    }

    /// Tiles in a stream.
    pub fn count(&self, items: u64) -> u64 {
        items.div_ceil(self.items())
    }

    /// Passes the tile's numbers to a pass as defines.
    fn define<'p>(&self, pass: DispatchRecorder<'p>) -> DispatchRecorder<'p> {
        let pass = pass
            .define("TUPLE", self.tuple)
            .define("VECTOR", self.vector)
            .define("ROWS", self.vectors)
            .define("LANES", self.lane_count)
            .define("LOAD", self.load());
        let pass = if self.row_warps.is_some() { pass.define("WARP_ROWS", 1) } else { pass };
        let pass = if self.in_series { pass.define("IN_SERIES", true) } else { pass };
        match self.heads {
            Heads::None => pass,
            heads => pass.define("SPLIT", true).define("FLAGGED", matches!(heads, Heads::Flags(_))),
        }
    }

    /// Words that a lane loads at a time.
    pub fn load(&self) -> u32 {
        let words = self.vector * self.item_words;
        [4, 2].into_iter().find(|load| words.is_multiple_of(*load)).unwrap_or(1)
    }

    /// 32-bit words of the flags of a part.
    pub fn head_words(&self, part: &BoundPart) -> u64 {
        match self.heads {
            Heads::Flags(_) => (part.items.end - part.items.start).div_ceil(32),
            Heads::None | Heads::Every(_) => 0,
        }
    }

    /// Uses of the operator to scan a tile: in the vectors, between lanes, along vectors and along warps.
    pub fn scan_adds(&self) -> u64 {
        let (group, vectors) = (u64::from(self.sharers), u64::from(self.vectors));
        let members = self.tuple.min(self.vector);
        // In series, each item is added to the one sum of its member.
        let in_vectors =
            group * vectors * u64::from(if self.in_series { self.vector } else { self.vector - members });
        let steps = super::ceil_log2((self.width() / self.distance()).into());
        let between = if self.in_series { 0 } else { group * vectors * u64::from(members * (steps + 2)) };
        let warps = u64::from(self.warps() - 1);
        let befores = if self.in_series { 1 } else { vectors };
        let along = u64::from(members) * (group * warps / 2 + if warps > 0 { group * befores } else { 0 });
        in_vectors + between + along + warps * u64::from(self.tuple)
    }

    /// Uses of the operator to write the results.
    pub fn store_adds(&self) -> u64 {
        let members = self.tuple.min(self.vector);
        let vectors = self.sharers * self.vectors;
        u64::from(if self.in_series {
            vectors * self.vector + self.sharers * members
        } else {
            vectors * (self.vector + members)
        })
    }

    /// The longest chain of uses of the operator in one result of a tile, including the prefix before the tile.
    pub fn depth(&self) -> u64 {
        let in_vector = self.vector.div_ceil(self.tuple);
        let steps = super::ceil_log2((self.width() / self.distance()).into());
        // A single invocation takes the whole tile item by item, too.
        let along = if self.in_series || self.sharers == 1 {
            in_vector * self.vectors
        } else {
            in_vector + self.vectors
        };
        u64::from(along + steps + self.warps() + 4)
    }

    /// Uses of the operator by which the lanes of a group's warps combine one value each.
    pub fn adds_of_lanes(&self) -> u64 {
        let lanes = u64::from(self.lane_count);
        let steps = (0..super::ceil_log2(lanes)).map(|step| lanes - (1 << step));
        u64::from(self.warps()) * steps.sum::<u64>()
    }

    /// Uses of the operator to reduce a tile.
    pub fn reduce_adds(&self, commutes: bool) -> u64 {
        let (group, vectors) = (u64::from(self.sharers), u64::from(self.vectors));
        let members = u64::from(self.tuple.min(self.vector));
        let steps = u64::from(super::ceil_log2((self.width() / self.distance()).into()));
        let trees = if commutes { 1 } else { vectors };
        let in_lanes = vectors * u64::from(self.vector) + members * steps * trees;
        group * in_lanes + u64::from((self.warps() - 1) * self.tuple)
    }

    /// The most loop iterations in which one invocation scans a tile with every order up to this.
    ///
    /// Mesa unrolls the loops over vectors and vectors of single items, so that an order has 20 iterations, or 94 in a split
    /// stream. With tuples it unrolls fewer: at most a fifth of all iterations were left (22.3.6; found by the length at
    /// which results go wrong, for add, mul, max and affine of every element, orders up to 16 and tuples up to 8). This
    /// allows nearly twice as many. Loops of more than 32 vectors that load through textures it does not unroll: 316 iterations
    /// with 48 vectors, 412 with 64. In series it unrolls those within a vector: 64 vectors took 149 iterations, and 303 of tuples
    /// of 16.
    ///
    /// Where nothing is unrolled, as on virgl, 64 vectors in series take some 1,050 iterations.
    pub fn iterations(&self, order: u32, device: &Device) -> u64 {
        let [vectors, vector, words] = [self.vectors, self.vector, self.item_words].map(u64::from);
        let [order, tuple, warps] = [order, self.tuple, self.warps()].map(u64::from);
        let along_warps = 3 * tuple * (warps + words + 10);
        let copies = vectors * (1 + vector * (2 + 2 * words));
        let scan = vectors * (3 + 8 * vector) + along_warps;
        let unrolled = if tuple.max(warps) > 8 { 1 } else { UNROLLED };
        match (device.unrolls_loops(), self.in_series) {
            (true, true) => 2 * (vectors + along_warps),
            (false, true) => 4 * (copies + along_warps),
            (true, false) if tuple == 1 && vectors <= MOST_UNROLLED_VECTORS => order * 3 * along_warps,
            (true, false) => (2 * copies + order * scan) / unrolled,
            (false, false) => 3 * (copies + order * scan),
        }
    }

    /// The parts of a stream that are bound at a time: whole tiles, as many as one binding covers.
    pub fn parts(&self, layout: &Layout, device: &Device) -> Result<Vec<BoundPart>, Unsupported> {
        self.parts_of(layout, device, u64::MAX)
    }

    /// The same, of about `most` items if that is less.
    pub fn parts_of(
        &self,
        layout: &Layout,
        device: &Device,
        most: u64,
    ) -> Result<Vec<BoundPart>, Unsupported> {
        let words = u64::from(layout.words_per_texel());
        let part = |(number, items): (usize, Range<u64>)| BoundPart {
            number,
            first: items.start / self.items(),
            tiles: self.count(items.end - items.start),
            words: (items.end - items.start) * words,
            items,
        };
        Ok(layout.parts(device, self.items(), most)?.into_iter().enumerate().map(part).collect())
    }

    /// A buffer for the sums of this many tiles.
    pub fn sums(&self, plan: &mut Plan, of: &Layout, tiles: u64) -> Slot {
        let arity = of.arity + self.flag_words / of.element.words();
        plan.slot("sums", Layout::buffer(of.element, arity, tiles * u64::from(self.tuple)))
    }

    /// Words of the sums of one tile.
    pub fn sum_words(&self) -> u64 {
        u64::from(self.tuple * (self.item_words + self.flag_words))
    }

    /// Adds a dispatch with a group for each tile of a part.
    pub fn dispatch<'p>(
        &self,
        plan: &'p mut Plan,
        phase: &'static str,
        shader: Shader,
        part: &BoundPart,
    ) -> DispatchRecorder<'p> {
        self.dispatch_groups(plan, phase, shader, part, part.tiles)
    }

    /// Adds a dispatch of this many groups over a part, whose shader numbers its tiles in the whole stream.
    pub fn dispatch_groups<'p>(
        &self,
        plan: &'p mut Plan,
        phase: &'static str,
        shader: Shader,
        part: &BoundPart,
        groups: u64,
    ) -> DispatchRecorder<'p> {
        let first = Uniform::Int(part.first as i32);
        self.dispatch_over(plan, phase, shader, part, groups).set("u_first", first)
    }

    /// Adds a dispatch of this many groups over a part.
    pub fn dispatch_over<'p>(
        &self,
        plan: &'p mut Plan,
        phase: &'static str,
        shader: Shader,
        part: &BoundPart,
        groups: u64,
    ) -> DispatchRecorder<'p> {
        let pass = plan.dispatch(phase, shader, self.lanes, self.group, groups);
        let pass = self.define(pass).set("u_len", Uniform::Int((part.items.end - part.items.start) as i32));
        let pass = match self.row_warps {
            Some(warps) => pass
                .set("u_row_warps", Uniform::Int(warps as i32))
                .set("u_first_warp", Uniform::Int((part.first * u64::from(self.warps()) % warps) as i32)),
            None => pass,
        };
        let first = Uniform::Int(part.items.start as i32);
        match self.heads {
            Heads::None => pass,
            Heads::Every(width) => pass.set("u_first_item", first).set("u_width", Uniform::Int(width as i32)),
            Heads::Flags(slot) => pass.set("u_first_item", first).bind("FLAGS", slot, Access::Read),
        }
    }
}

/// A scan of any order whose rounds go over tiles, by its method `round`: its type, what builds it, and the module that
/// scans columns, if it does; then the method and the module for linear systems, if it takes them at once.
macro_rules! tile_scan {
    ($(#[$doc:meta])* $type:ident, $name:literal $(, $columns:ident $(, $linear:ident)?)? $(; $($(#[$of:meta])* $field:ident: $kind:ty),+)?) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default)]
        pub struct $type {
            /// The tiles that a work group takes.
            pub tile: TileOptions,
            $($($(#[$of])* pub $field: $kind,)+)?
        }

        impl Algorithm<ScanSpec> for $type {
            fn name(&self) -> &'static str {
                $name
            }

            fn handles_natively(&self, spec: &ScanSpec, device: &Device) -> bool {
                $crate::scan::compute::tile::handles_natively(spec, device) $(|| super::$columns::handles_natively(spec, device))?
                    $($(|| super::$linear::handles_natively(spec))?)?
            }

            fn build(
                &self,
                plan: &mut Plan,
                spec: &ScanSpec,
                inputs: &[Slot],
                device: &Device,
            ) -> Result<Vec<Slot>, Error> {
                self.tile.note_parameters(plan);
                $($(self.$field.note_parameters(plan);)+)?
                if spec.len == 0 {
                    return Ok(vec![inputs[0]]);
                }
                $(if let $crate::scan::Batch::Columns(width) = spec.batch {
                    let tile = self.tile.whole(device, spec.item_words(), 1)?;
                    return rounds(spec, inputs[0], |source, round| {
                        super::$columns::round(plan, &tile, source, width, round.kind, device)
                    });
                })?
                let heads = $crate::scan::option_passes::heads(plan, spec, inputs, device)?;
                $($(if let Some(scanned) = self.$linear(plan, spec, inputs[0], heads, device)? {
                    return Ok(vec![scanned]);
                })?)?
                plan.with_item($crate::scan::option_passes::inner(spec), |plan| {
                    rounds(spec, inputs[0], |source, round| {
                        self.round(plan, source, $crate::scan::Round { heads, ..round }, device)
                    })
                })
            }
        }
    };
}
pub(super) use tile_scan;

/// Returns true if tiles split a stream themselves: rows, or segments of single items, from the first on.
pub(super) fn handles_natively(spec: &ScanSpec, device: &Device) -> bool {
    let segments = spec.segments != Segments::None;
    // Flags are one buffer more than a scan of a whole stream binds.
    let bindings = device.compute.as_ref().map_or(0, |compute| compute.max_bindings);
    let bound = !segments || bindings >= MOST_BINDINGS;
    spec.is_split_ahead() && bound
}

/// The most buffers that a scan in tiles binds, flags included.
const MOST_BINDINGS: u32 = 5;

/// A stream in tiles.
pub(super) struct Tiled {
    /// The shape of each tile.
    pub tile: Tile,
    /// The parts that are bound at a time.
    pub parts: Vec<BoundPart>,
    /// Tiles of all parts.
    pub tiles: u64,
}

impl Tiled {
    /// Divides a stream into tiles of whole tuples.
    ///
    /// Errors: as [`Tile::new`], and if no binding covers a tile.
    pub fn new(
        tuned: TunedTile,
        stream: &Layout,
        round: Round,
        device: &Device,
    ) -> Result<Tiled, Unsupported> {
        Tiled::of(tuned.of_stream(stream, round, device)?, stream, device)
    }

    /// The same with this tile.
    pub fn of(tile: Tile, stream: &Layout, device: &Device) -> Result<Tiled, Unsupported> {
        Ok(Tiled { tile, parts: tile.parts(stream, device)?, tiles: tile.count(stream.len) })
    }
}

/// A part of a stream that is bound at a time.
#[derive(Debug, Clone)]
pub(crate) struct BoundPart {
    /// The part's index, from 0.
    pub number: usize,
    /// The items that it covers.
    pub items: Range<u64>,
    /// Words in them.
    pub words: u64,
    /// The number of its first tile in the whole stream.
    pub first: u64,
    /// Tiles in the part.
    pub tiles: u64,
}

impl BoundPart {
    /// Tiles with another one before them.
    pub fn tiles_after_the_first(&self) -> u64 {
        self.tiles - u64::from(self.first == 0)
    }
}

fn wrong_group(group: u32, least: u32) -> Unsupported {
    Unsupported::parameter(format!(
        "the work group cannot be {group}; expected a power of two, at least {least}"
    ))
}

/// The missing extension, for a kind of lanes.
fn lacks(lanes: Lanes) -> &'static str {
    match lanes {
        Lanes::Warp => "it lacks GL_NV_shader_thread_group or GL_NV_shader_thread_shuffle",
        _ => "it lacks GL_KHR_shader_subgroup",
    }
}
