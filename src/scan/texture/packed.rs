//! The packed scan: four words per texel, several texels per block, each result written once.
//!
//! Source: ours, a step that the era did not take; blocks as in blelloch1990, levels as in sengupta2006. Work: reads
//! about n/4 texels in the reduce and (block/2 + 1.5) n/4 in the down-sweep, nearly all of them from the cache; writes
//! n/4 and little more. Steps: 2 log(n) / log(4 · block) - 1; with `sums=added` two thirds of that.
//! Wins: over all of the texture era, because a texel written costs about four times as much as one read (H100: 1.6
//! copies at 2^20, 1.4 at 2^22, 1.3 from 2^24 on, where Horn takes 19 to 26; the limit of a scan that reads all and writes all is
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
//! With `sums=added` every second level is left as it is. Where a(d+1) is not scanned, an item adds up the sums before
//! b in a block of 4 texels of a(d+1), or 2 if the stream is long, after the scanned sum of such blocks in a(d+2); all
//! of a(d+1), if it has up to 64 texels. Passes, at 2^20 and 2^22: 5 instead of 7 and 9. Expected were 4 microseconds a
//! pass and, from 2^24 on, the time to write n/128 texels once less; came (H100) 7%, 6%, 3% and 3% at 2^20 to 2^26.
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

mod blocks;

use super::heads;
use crate::algorithm::{
    Algorithm, Built, Candidates, Card, Domain, Era, Need, NumberRange, Parameter, Placement, PseudoCode,
    Variants,
};
use crate::device::Device;
use crate::error::Error;
use crate::named::named;
use crate::plan::{Plan, Slot};
use crate::scan::{Heads, ScanSpec, rounds};
use crate::tuning::Shape;
use crate::tuning::table::packed::{
    ADDED, ADDED_OF_LONG, BLOCK, BLOCK_OF_LONGER, BLOCK_ON_A_CPU, LONG, LONG_ON_A_CPU, LONGER_ON_A_CPU,
};
use crate::unsupported::Unsupported;

pub(crate) use blocks::{Level, LevelBlocks};

pub static CARD: Card = Card {
    name: "packed",
    problem: &crate::scan::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "four words per texel, blocks of texels, every result written once",
    sources: &["blelloch1990", "sengupta2006"],
    passes: "2 log(n) / log(B) - 1, in blocks of B items",
    work: "6n at the default block",
    parameters: &[BLOCK_PARAMETER, SUMS_PARAMETER],
    variants: Variants {
        all: &["", "block=2", "block=16,sums=scanned", "block=64", "block=4,sums=added"],
        some: &[],
    },
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| {
        let sums = arguments.variant("sums", &Sums::ALL, Sums::name);
        Built::of(Packed { block: arguments.number("block"), sums })
    },
};

/// The parameter of scans and reductions over packed texels.
pub(crate) const BLOCK_PARAMETER: Parameter = Parameter {
    name: "block",
    about: "texels (with tuples: tuples) in a block; auto is tuned, or 8, on CPUs 4 from 2^16 items on, 2 from 2^20 on",
    default: "auto",
    candidates: Candidates::numbers(&[2, 4, 8, 16, 32, 64]),
    domain: Domain::numbers(NumberRange { min: 2, max: 64, powers_of_two: true }, &["auto"]),
};

const SUMS_PARAMETER: Parameter = Parameter {
    name: "sums",
    about: "the sums of blocks: scanned by passes of their own, or on every second level added up by the items; auto is \
            added on GPUs, for streams that are one scan of single items",
    default: "auto",
    candidates: Candidates::NONE,
    domain: Domain::words(Sums::WORDS),
};

/// The scan over packed texels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Packed {
    /// Texels in a block: a power of two from 2 to 64. `None` is the fastest one measured on the device, else 8;
    /// on CPUs 4 or 2 for long streams.
    pub block: Option<u32>,
    /// How items learn the sums of the blocks before them. `None` is added on GPUs, where it can be.
    pub sums: Option<Sums>,
}

/// How items learn the sums of the blocks before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sums {
    /// The sums of each level are scanned; an item fetches one.
    Scanned,
    /// The sums of every second level are not scanned: an item adds up those before it in a block of 4 texels, and
    /// fetches a scanned sum of such blocks. This saves a pass and the writing of scanned sums, at the cost of about 2.5
    /// fetches a texel. Needs single items, and no scan that begins within the stream; others are scanned.
    Added,
}

named!(Sums, or "auto" { Scanned: "scanned", Added: "added" });

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

    fn handles_natively(&self, spec: &ScanSpec, _: &Device) -> bool {
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
        plan.note_parameter("block", block);
        let heads = heads::heads(plan, spec, inputs, device, &Packed::default())?;
        let repeats = device.software && block <= BLOCK_ON_A_CPU && spec.len >= LONG_ON_A_CPU;
        let sums = match heads {
            Heads::None if spec.tuple == 1 => {
                self.sums.unwrap_or(if device.software { Sums::Scanned } else { Sums::Added })
            }
            _ => Sums::Scanned,
        };
        if self.sums.is_some() {
            plan.note_parameter("sums", sums.name());
        }
        let added = match sums {
            Sums::Scanned => 0,
            Sums::Added if spec.len > LONG => ADDED_OF_LONG,
            Sums::Added => ADDED,
        };
        let blocks = LevelBlocks { block, tuple: spec.tuple, heads, items: spec.len, repeats, added };
        rounds(spec, inputs[0], |source, round| {
            Ok::<_, Error>(blocks.scan(plan, source, round.kind, Level::STREAM))
        })
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
        let default = match spec.len {
            _ if !device.software || !single => BLOCK,
            LONGER_ON_A_CPU.. => BLOCK_OF_LONGER,
            LONG_ON_A_CPU.. => BLOCK_ON_A_CPU,
            _ => BLOCK,
        };
        self.block.or_else(|| tuned(spec, device)).unwrap_or(default)
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
                                         | for each level, the top one first; if sums are added, each second one
      scan/packed/down_sweep             |   for each i in block b in parallel
      scan/packed/down_sweep             |     before = a(d+1)[b - 1]; if it is not scanned: the sum of those up to it
      scan/packed/down_sweep inclusive   |     a(d)[i] = before + the items of b up to i
      scan/packed/down_sweep exclusive   |     the last of them, if exclusive: + those before i
",
};
