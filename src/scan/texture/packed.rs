//! The packed scan: four words per texel, several texels per block, each result written once.
//!
//! Source: ours, a step that the era did not take; blocks as in blelloch1990, levels as in sengupta2006. Work: reads
//! about n/4 texels in the reduce and (block/2 + 1.5) n/4 in the down-sweep, nearly all of them from the cache; writes
//! n/4 and little more. Steps: 2 log(n) / log(4 · block) - 1.
//! Wins: over all of the texture era, because a texel written costs about four times as much as one read (H200: 1.73
//! copies at 2^20, 1.35 at 2^24, where Horn takes 19 and 24; the limit of a scan that reads all and writes all is
//! 1.27). The exception is tuples that are not a multiple of the items in a texel, where the hybrid wins.
//!
//! ```text
//! while a(d) is longer than a block                      reduce
//!   for each block b: a(d+1)[b] = sum of the block's items
//! for each level, the top one first                      down-sweep
//!   for each i in block b:
//!     a(d)[i] = a(d+1)[b - 1] + the items of b up to i
//! ```
//!
//! The sums of a row's blocks lie in the same row of a narrower texture, as long as that row is wide enough for blocks
//! of its own. Filling the sums row by row into a square texture would also work. But then one long target row would
//! draw on many source rows, and neighbouring fragments would no longer read neighbouring rows. Textures are stored in
//! tiles, and fragments are shaded in small squares, so a square should read its rows from one tile. On an H200 the
//! reduce reads four times faster with kept rows than with long ones.
//!
//! Differences from the papers' scans:
//! 1. An item is a part of a texel: 4 of one word, 2 of two, 1 of four. Input and output are packed.
//! 2. The reduce halves log2(4 · block) times in one pass; the down-sweep goes down as many levels.
//! 3. No Horn at the top: levels end when one block is left, which the down-sweep scans alone.
//! 4. Tuples of s: a block is `block` tuples. Items side by side in one tuple are so in all, and are fetched together,
//!    in windows that can begin within a texel.

use super::heads;
use crate::algorithm::{
    Algorithm, Built, Card, Domain, Era, Need, NumberRange, Parameter, Placement, PseudoCode, Tried, Variants,
};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Layout, Plan, Slot, shader};
use crate::scan::{Heads, ScanKind, ScanSpec, rounds};
use crate::tuning::Shape;
use crate::unsupported::Unsupported;

pub static CARD: Card = Card {
    name: "packed",
    problem: &crate::scan::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "four words per texel, blocks of texels, every result written once",
    sources: &["blelloch1990", "sengupta2006"],
    passes: "2 log(n) / log(B) - 1, in blocks of B items",
    work: "6n at the default block",
    parameters: PARAMETERS,
    variants: Variants { all: &["", "block=2", "block=16", "block=64"], some: &[] },
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| Built::of(Packed { block: arguments.number("block") }),
};

/// The parameters of scans and reductions over packed texels.
pub(crate) const PARAMETERS: &[Parameter] = &[Parameter {
    name: "block",
    about: "texels (with tuples: tuples) in a block; auto is tuned, or 8, on CPUs 4 from 2^16 items on",
    default: "auto",
    tried: Tried::numbers(&[2, 4, 8, 16, 32, 64]),
    domain: Domain::numbers(NumberRange { min: 2, max: 64, powers_of_two: true }, &["auto"]),
}];

/// The scan over packed texels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Packed {
    /// Texels in a block: a power of two from 2 to 64. `None` is the fastest one measured on the device, else 8.
    pub block: Option<u32>,
}

/// Texels in a block if neither the caller nor the device's tuning sets it: larger blocks save passes, smaller ones
/// fetches. Measured at 2^20 to 2^24 on an H200.
pub(crate) const BLOCK: u32 = 8;
/// The same on a CPU, for long streams of single items.
///
/// llvmpipe runs a loop as often as the longest of the fragments that it shades together. Loops of one length, unrolled,
/// are faster: 2^22 u32 took 8.6 ms with blocks of 4, 9.6 with loops that end early, and 10.3 with blocks of 8.
const BLOCK_ON_A_CPU: u32 = 4;
const LONG_ON_A_CPU: u64 = 1 << 16;

impl Algorithm<ScanSpec> for Packed {
    fn name(&self) -> &'static str {
        "packed"
    }

    fn placement(&self, spec: &ScanSpec, device: &Device) -> Result<Placement, Error> {
        const OTHERS: &str = "horn, hybrid or blelloch, or an algorithm over buffers, such as look_back";
        Unsupported::unless_in_texel("packed", spec.item_words(), OTHERS)?;
        Ok(Placement::Texture {
            items_per_texel: (4 / spec.item_words()).max(1),
            unit: self.settled(spec, device),
        })
    }

    fn takes(&self, spec: &ScanSpec, _: &Device) -> bool {
        spec.is_split_ahead()
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &ScanSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let block = self.settled(spec, device);
        plan.settle("block", block);
        let heads = heads::heads(plan, spec, inputs, device)?;
        let repeats = device.software && block <= BLOCK_ON_A_CPU && spec.len >= LONG_ON_A_CPU;
        let blocks = Blocks { block, tuple: spec.tuple, heads, items: spec.len, repeats };
        rounds(spec, inputs[0], |source, round| Ok::<_, Error>(blocks.scan(plan, source, round.kind, 0)))
    }
}

/// The block measured to be the fastest, if the scan can use it.
fn tuned(spec: &ScanSpec, device: &Device) -> Option<u32> {
    let block = device.tuning.parameter("scan", "packed", "block", Shape::PLAIN, spec.words())?;
    ((2..=64).contains(&block) && block.is_power_of_two()).then_some(block)
}

impl Packed {
    /// Texels in a block: as given, as tuned, or the default.
    fn settled(&self, spec: &ScanSpec, device: &Device) -> u32 {
        let single = spec.tuple == 1 && !spec.is_split();
        let default =
            if device.software && single && spec.len >= LONG_ON_A_CPU { BLOCK_ON_A_CPU } else { BLOCK };
        self.block.or_else(|| tuned(spec, device)).unwrap_or(default)
    }
}

/// The division of a level into blocks.
pub(crate) struct Blocks {
    /// Texels in a block.
    pub block: u32,
    /// Items in a tuple.
    pub tuple: u32,
    /// Where scans begin anew.
    pub heads: Heads,
    /// Items in the stream.
    pub items: u64,
    /// True if the loop over a block is as long for all of its texels. The fetches that repeat others are not counted, and
    /// a recorded run leaves them out.
    pub repeats: bool,
}

impl Blocks {
    /// Tuples in a block.
    fn tuples(&self, items_per_texel: u32) -> u64 {
        let per_texel = if self.tuple == 1 { items_per_texel } else { 1 };
        u64::from(self.block * per_texel)
    }

    /// Adds the scan of one level, including the levels above it.
    fn scan(&self, plan: &mut Plan, source: Slot, kind: ScanKind, level: u32) -> Slot {
        let layout = *plan.layout(source);
        let tuples = layout.len / u64::from(self.tuple);
        let sums = (tuples > self.tuples(layout.items_per_texel)).then(|| {
            let sums = self.reduce(plan, source, level + 1);
            self.scan(plan, sums, ScanKind::Inclusive, level + 1)
        });
        self.down_sweep(plan, source, sums, kind, level)
    }

    /// The layout of a level's sums.
    fn place(&self, sums: u64, level: &Layout) -> Layout {
        if self.tuple == 1 {
            level.shrunk(sums, self.block * level.items_per_texel, self.block)
        } else {
            level.square(sums, self.block)
        }
    }

    /// Adds the pass for the sums of a level's blocks.
    pub fn reduce(&self, plan: &mut Plan, source: Slot, level: u32) -> Slot {
        let layout = *plan.layout(source);
        let member = u64::from(self.tuple);
        let blocks = (layout.len / member).div_ceil(self.tuples(layout.items_per_texel));
        let sums = blocks * member;
        let target = plan.slot(format!("sums {level}"), self.place(sums, &layout));
        let (fetches, adds) = self.count_reduce(&layout, sums);
        // Each item of the level stands for as many of the stream.
        let each = self.items(&layout).pow(level - 1);
        let counts = plan.is_counting();
        let pass = plan
            .draw("reduce", shader!("scan/packed/reduce.frag", "scan/packed/texel.glsl"))
            .define("TUPLE", i64::from(self.tuple))
            .define("BLOCK", i64::from(self.block));
        let pass = if counts { pass.define("EACH", each.min(1 << 30) as i64) } else { pass };
        let pass = heads::tell(pass, self.heads, [self.items, each, sums]);
        pass.read("u_source", source)
            .fetches("u_source", fetches)
            .adds(adds, self.items(&layout))
            .write(target);
        target
    }

    fn down_sweep(
        &self,
        plan: &mut Plan,
        values: Slot,
        sums: Option<Slot>,
        kind: ScanKind,
        level: u32,
    ) -> Slot {
        let layout = *plan.layout(values);
        let target = plan.slot(format!("scanned {level}"), layout);
        let count = self.count_down_sweep(&layout, sums.is_some(), kind);
        let mut pass = plan
            .draw("down-sweep", shader!("scan/packed/down_sweep.frag", "scan/packed/texel.glsl"))
            .define("TUPLE", i64::from(self.tuple))
            .define("BLOCK", i64::from(self.block))
            .define("BLOCKS_BEFORE", i64::from(sums.is_some()))
            .define("EXCLUSIVE", i64::from(kind == ScanKind::Exclusive))
            .read("u_values", values)
            .fetches("u_values", count.values);
        if self.repeats {
            pass = pass.define("REPEATS", 1);
        }
        if let Some(sums) = sums {
            pass = pass.read("u_sums", sums).fetches("u_sums", count.sums);
        }
        if self.heads != Heads::None {
            let each = self.items(&layout).pow(level);
            // The items of a texel share a texel of the table, or on the levels above have one each.
            let lookups = if level == 0 { layout.texels() } else { layout.len };
            pass = heads::tell(pass, self.heads, [self.items, each, lookups]);
            pass = pass.define("LEAVES", (level == 0).into());
        }
        // Blocks or windows, a texel's own tree and its items, in one chain.
        let depth = u64::from(self.block) + 5;
        pass.adds(count.adds, depth).write(target);
        target
    }

    /// Items in a block.
    fn items(&self, layout: &Layout) -> u64 {
        self.tuples(layout.items_per_texel) * u64::from(self.tuple)
    }

    /// Texels fetched and uses of the operator in a reduce of this level. Without tuples: whole texels of full blocks,
    /// and a last block item by item, starting from the identity.
    fn count_reduce(&self, layout: &Layout, sums: u64) -> (u64, u64) {
        let items = self.items(layout);
        let (full, rest) = (layout.len / items, layout.len % items);
        if self.tuple == 1 {
            let fetches = full * u64::from(self.block) + rest;
            return (fetches, layout.len - sums + u64::from(rest > 0));
        }
        // With tuples: after `tuple` texels of sums, blocks and windows repeat.
        let per_texel = u64::from(layout.items_per_texel);
        let texels = sums.div_ceil(per_texel);
        let whole_texels = full * u64::from(self.tuple) / per_texel;
        let periods = whole_texels / u64::from(self.tuple);
        let fetches = |texels: std::ops::Range<u64>| -> u64 {
            texels.map(|texel| self.count_reduce_texel(texel, layout)).sum()
        };
        let first_period = if periods > 0 { fetches(0..u64::from(self.tuple)) } else { 0 };
        let rest = fetches(periods * u64::from(self.tuple)..texels);
        (periods * first_period + rest, layout.len)
    }

    /// Texels that the shader fetches for one texel of a tuple's sums.
    fn count_reduce_texel(&self, texel: u64, layout: &Layout) -> u64 {
        let (tuple, block) = (u64::from(self.tuple), u64::from(self.block));
        let items = u64::from(layout.items_per_texel);
        let first = texel * items;
        (first / tuple..(first + items).div_ceil(tuple))
            .flat_map(|b| (0..block).map(move |k| first + b * (block - 1) * tuple + k * tuple))
            .take_while(|window| *window < layout.len)
            .map(|window| if window % items == 0 { 1 } else { 2 })
            .sum()
    }

    /// The same for a down-sweep.
    fn count_down_sweep(&self, layout: &Layout, blocks_before: bool, kind: ScanKind) -> Count {
        // Blocks and texels coincide again after this many texels.
        let per_texel = u64::from(layout.items_per_texel);
        let period = self.items(layout);
        let (periods, rest) = (layout.texels() / period, layout.texels() % period);
        let sum = |texels: u64| (0..texels).map(|t| self.count_texel(t, per_texel, kind)).sum::<Count>();
        let mut count = sum(rest);
        if periods > 0 {
            let whole = sum(period);
            count.values += periods * whole.values;
            count.adds += periods * whole.adds;
        }
        if blocks_before {
            let first_block = self.items(layout).div_ceil(per_texel);
            let later = layout.texels().saturating_sub(first_block);
            count.sums = later * if self.tuple == 1 { 1 } else { per_texel };
        }
        count
    }

    /// The shader's work for one texel, by its index.
    fn count_texel(&self, texel: u64, per_texel: u64, kind: ScanKind) -> Count {
        if self.tuple == 1 {
            let before = texel % u64::from(self.block);
            return Count { values: 1 + before, sums: 0, adds: (1 + before) * per_texel };
        }
        let (tuple, items) = (i64::from(self.tuple), per_texel as i64);
        let first = texel as i64 * items;
        let block = i64::from(self.block) * tuple;
        let start = first / block * block;
        // An exclusive result excludes its own item.
        let own = if kind == ScanKind::Inclusive { per_texel } else { 0 };
        let mut count = Count { values: 1, sums: 0, adds: own };
        let mut window = first - tuple;
        while window + items > start {
            let aligned = window >= 0 && window % items == 0;
            count.values += if aligned { 1 } else { 2 };
            count.adds += (0..items).filter(|i| window + i >= start).count() as u64;
            window -= tuple;
        }
        count
    }
}

/// Texels fetched from the level and from the sums above it, and uses of the operator.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    values: u64,
    sums: u64,
    adds: u64,
}

impl std::iter::Sum for Count {
    fn sum<I: Iterator<Item = Count>>(counts: I) -> Count {
        counts.fold(Count::default(), |sum, count| Count {
            values: sum.values + count.values,
            sums: sum.sums + count.sums,
            adds: sum.adds + count.adds,
        })
    }
}

/// Our own; blocks as in blelloch1990, levels as in sengupta2006.
static LISTING: PseudoCode = PseudoCode {
    title: "The packed scan",
    sources: &["blelloch1990", "sengupta2006"],
    corrected: "",
    text: "
                                         | while a(d) is longer than a block
      scan/packed/reduce                 |   for each block b in parallel
      scan/packed/reduce                 |     a(d+1)[b] = the sum of the block's items
                                         | for each level, the top one first
      scan/packed/down_sweep             |   for each i in block b in parallel
      scan/packed/down_sweep inclusive   |     a(d)[i] = a(d+1)[b - 1] + the items of b up to i
      scan/packed/down_sweep exclusive   |     the last of them, if exclusive: + those before i
",
};
