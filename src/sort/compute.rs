//! The sorts of the compute era: work groups that rank tiles of keys by a digit in shared memory, and write them anywhere,
//! over buffers.
//!
//! A sort goes from the lowest digit to the highest, and keeps the order of keys whose digits are equal. A key's place is
//! that of the first key with its digit, plus the keys before it with the same one: those of earlier tiles, those of earlier
//! warps of its tile, and those of its warp. The lanes of a warp vote on each bit of a digit, so each knows the lanes whose
//! digits are equal to its own (`lanes_alike`). Where lanes cannot vote, each is a warp of its own, and takes its keys in
//! series. The sorts differ in how a tile learns about the earlier ones:
//!
//! - `three_pass` counts the digits of each tile first, and scans all counts.
//! - `onesweep` counts the digits of the stream, all places at once, and looks back for those of earlier tiles, as the scan
//!   `look_back` does.
//!
//! A tile is brought in order in shared memory before it is written, so neighbouring invocations write side by side
//! (`glsl/sort/common/move_tile.glsl`).

pub(crate) mod onesweep;
pub(crate) mod three_pass;

pub use onesweep::Onesweep;
pub use three_pass::ThreePass;

use std::ops::Range;

use super::SortSpec;
use crate::algorithm::{Arguments, Candidates, Domain, NumberRange, Parameter, Variants};
use crate::device::{Compute, Device};
use crate::plan::{Access, DispatchRecorder, Lanes, Layout, Plan, Shader, Slot, Uniform};
use crate::scan::compute::TileOptions;
use crate::tuning::Shape;
use crate::tuning::table::sort_tiles::{
    BITS, CPU_BITS, CPU_GROUP, CPU_ROWS, ROWS, SERIAL_BITS, SERIAL_GROUP,
};
use crate::unsupported::Unsupported;

/// The caller's choices for a sort in tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SortTiles {
    /// The lanes, the invocations of a group, and the keys of an invocation. Lanes are serial, subgroups or warps.
    pub tile: TileOptions,
    /// The most bits of a digit, 1 to 8. `None` is a built-in default.
    pub bits: Option<u32>,
}

impl SortTiles {
    const MOST_BITS: u32 = 8;

    /// The parameters of all algorithms that sort in tiles.
    const PARAMETERS: &[Parameter] = &[
        Parameter {
            name: "lanes",
            about: "how invocations find equal digits; serial is for CPUs, subgroup and warp need extensions",
            domain: Domain::words(&["auto", "serial", "subgroup", "warp"]),
            ..TileOptions::PARAMETERS[0]
        },
        TileOptions::PARAMETERS[1],
        Parameter {
            about: "keys that an invocation takes",
            candidates: Candidates::numbers(&[4, 8, 12, 16, 20]),
            ..TileOptions::PARAMETERS[2]
        },
        Parameter {
            name: "bits",
            about: "the most bits of a digit; auto is 8, or 4 with serial lanes",
            default: "auto",
            candidates: Candidates::NONE,
            domain: Domain::numbers(
                NumberRange { min: 1, max: SortTiles::MOST_BITS, powers_of_two: false },
                &["auto"],
            ),
        },
    ];

    /// The variants that tests run, likewise.
    const VARIANTS: Variants = Variants {
        all: &["lanes=serial,group=8,vectors=3,bits=4", "lanes=subgroup"],
        some: &["", "lanes=serial,group=16,vectors=1,bits=2", "lanes=warp,vectors=5"],
    };

    fn of(arguments: &Arguments) -> SortTiles {
        SortTiles { tile: TileOptions::of(arguments), bits: arguments.number("bits") }
    }

    fn note_parameters(&self, plan: &mut Plan) {
        self.tile.note_parameters(plan);
        self.bits.iter().for_each(|bits| plan.note_parameter("bits", bits));
    }
}

/// A sort of streams in tiles.
struct Tiled {
    spec: SortSpec,
    /// The layout of each stream.
    words: Layout,
    lanes: Lanes,
    /// Lanes in a warp.
    lane_count: u32,
    /// Invocations in a group.
    group: u32,
    /// Keys of an invocation.
    rows: u32,
    /// Bits of a digit.
    width: u32,
    /// Digits of a key.
    places: u32,
    /// Tiles of the stream.
    tiles: u64,
    /// Buffers that a pass can bind.
    bindings: u32,
}

impl Tiled {
    /// `group` and `rows` are the algorithm's own where lanes vote.
    ///
    /// Errors: the device has no compute shaders, no such lanes or groups, or too little memory for them.
    fn new(
        algorithm: &'static str,
        (group, rows): (u32, u32),
        options: SortTiles,
        spec: &SortSpec,
        words: Layout,
        device: &Device,
    ) -> Result<Tiled, Unsupported> {
        let compute = Unsupported::unless_compute(device, "this sort")?;
        words.check_binding(compute)?;
        let lanes = match options.tile.lanes {
            Some(Lanes::Shared) => {
                return Err(Unsupported::parameter(
                    "shared lanes cannot vote on digits; use lanes=serial, subgroup or warp",
                ));
            }
            Some(lanes) => lanes,
            None => match Lanes::best(device) {
                Lanes::Shared => Lanes::Serial,
                best => best,
            },
        };
        let (group, rows, bits) = match lanes {
            Lanes::Serial if device.software => (CPU_GROUP, CPU_ROWS, CPU_BITS),
            Lanes::Serial => (SERIAL_GROUP, ROWS, SERIAL_BITS),
            _ => (group, rows, BITS),
        };
        // Only digits of the device's own choice were measured.
        let tuned = match options.bits {
            Some(_) => None,
            None => options.tile.tuned_vectors(device, "sort", algorithm, Shape::PLAIN, words.words()),
        };
        let asked = TileOptions {
            lanes: Some(lanes),
            group: options.tile.group.or(Some(group.min(compute.max_invocations))),
            vectors: options.tile.vectors.or(tuned).or(Some(rows)),
        };
        let tile = asked.whole(device, 1, 1)?;
        if options.bits.is_some_and(|bits| !(1..=SortTiles::MOST_BITS).contains(&bits)) {
            return Err(Unsupported::parameter(format!(
                "a digit of {} bits cannot be counted; use 1 to {}",
                options.bits.unwrap_or_default(),
                SortTiles::MOST_BITS
            )));
        }
        // Numbers that the caller leaves open are as large as the memory allows.
        let fits =
            |bits: u32, rows: u32| shared_words(tile.group, tile.lane_count, bits, rows) <= room(compute);
        let least = options.tile.vectors.unwrap_or(1);
        let bits = options.bits.or_else(|| (1..=bits).rev().find(|bits| fits(*bits, least))).unwrap_or(1);
        let rows = (least..=tile.vectors).rev().find(|rows| fits(bits, *rows)).ok_or_else(|| {
            Unsupported::too_large(format!(
                "groups of {} invocations with {least} keys each and digits of {bits} bits take more shared memory than this \
                 device's {} bytes; use smaller groups, or fewer keys or bits",
                tile.group, compute.max_shared_memory
            ))
        })?;
        let [low, high] = spec.bits;
        let places = (high - low).div_ceil(bits);
        Ok(Tiled {
            spec: *spec,
            words,
            lanes,
            lane_count: tile.lane_count,
            group: tile.group,
            rows,
            width: (high - low).div_ceil(places),
            places,
            tiles: spec.len.div_ceil(u64::from(tile.group * rows)),
            bindings: compute.bindings(),
        })
    }

    /// Values of a digit.
    fn digits(&self) -> u64 {
        1 << self.width
    }

    /// Adds a dispatch whose shader knows the digits of keys.
    fn dispatch<'p>(
        &self,
        plan: &'p mut Plan,
        phase: &'static str,
        shader: Shader,
        groups: u64,
    ) -> DispatchRecorder<'p> {
        plan.dispatch(phase, shader, self.lanes, self.group, groups)
            .define("LANES", self.lane_count)
            .define("WIDTH", self.width)
            .set("u_bits", Uniform::Int2(self.spec.bits.map(|bit| bit as i32)))
    }

    /// Adds a dispatch that reads all keys, a tile in each group.
    fn over_tiles<'p>(
        &self,
        plan: &'p mut Plan,
        phase: &'static str,
        shader: Shader,
        keys: Slot,
        place: u32,
    ) -> DispatchRecorder<'p> {
        self.dispatch(plan, phase, shader, self.tiles)
            .define("ROWS", self.rows)
            .set("u_place", Uniform::Int(place as i32))
            .read_keys(self, keys)
    }

    /// The streams that each pass of a place moves: whether the keys, and which payloads. A pass has few bindings: of all
    /// streams that it moves, of the keys, and of what says where they go.
    fn shares(&self) -> Vec<(bool, Range<usize>)> {
        const MOST: usize = 2;
        let payloads = self.spec.payloads as usize;
        let room = self.bindings.saturating_sub(2) as usize;
        let mut end = ((room.saturating_sub(1)) / 2).min(MOST).min(payloads);
        let mut shares = vec![(true, 0..end)];
        while end < payloads {
            let begin = end;
            end = payloads.min(begin + (room / 2).clamp(1, MOST));
            shares.push((false, begin..end));
        }
        shares
    }

    /// Adds the passes that move the streams, the keys first, to their places by a digit. `bind` tells each where tiles begin,
    /// by the number of the pass.
    fn moves(
        &self,
        plan: &mut Plan,
        (phase, shader): (&'static str, Shader),
        streams: &[Slot],
        place: u32,
        bind: impl for<'p> Fn(DispatchRecorder<'p>, usize) -> DispatchRecorder<'p>,
    ) -> Vec<Slot> {
        let sorted: Vec<Slot> = streams.iter().map(|_| plan.slot("sorted", self.words)).collect();
        for (number, (moves_keys, payloads)) in self.shares().into_iter().enumerate() {
            let moved = payloads.len() as u64;
            let pass = self
                .over_tiles(plan, phase, shader.clone(), streams[0], place)
                .define("MOVES_KEYS", moves_keys)
                .define("PAYLOADS", moved as i64)
                .moves(moved * self.spec.len, (moved + u64::from(moves_keys)) * self.spec.len);
            let pass = if moves_keys { pass.bind("SORTED", sorted[0], Access::Write) } else { pass };
            let names = [("PAYLOAD", "MOVED"), ("PAYLOAD_2", "MOVED_2")];
            let pass = payloads.zip(names).fold(pass, |pass, (payload, (from, to))| {
                let slot = streams[1 + payload];
                pass.bind_loads(from, slot, 0..self.spec.len, 1).bind(to, sorted[1 + payload], Access::Write)
            });
            bind(pass, number);
        }
        sorted
    }
}

impl DispatchRecorder<'_> {
    /// Binds the keys of a sort, all of which it reads once.
    fn read_keys(self, tiled: &Tiled, keys: Slot) -> Self {
        let len = tiled.spec.len;
        self.bind_loads("KEYS", keys, 0..len, 1).set("u_len", Uniform::Int(len as i32)).moves(len, 0)
    }
}

/// Words of shared memory that a pass takes besides keys, counts and digits.
const OTHERS: u32 = 8;

/// Words of shared memory that a group takes.
fn shared_words(group: u32, lanes: u32, bits: u32, rows: u32) -> u32 {
    let warps = group / lanes;
    (warps << bits).max(group * rows) + (1 << bits) + warps + OTHERS
}

/// Words of shared memory of a device.
fn room(compute: &Compute) -> u32 {
    compute.max_shared_memory / 4
}
