//! Harris's scan: blocks scanned in shared memory, their sums scanned in the same manner and added.
//!
//! Source: harris2007; blelloch1990 for the tree. Work: about 4n words moved; 3n adds, or n log B with the naive
//! kernel, where B is the size of a block. Steps: 2 log_B(n) - 1 passes.
//! Wins: nowhere any more; its paper is one of the first on CUDA, and its kernels are compute shaders here. A tree needs 2 log B barriers, and between
//! most of them most invocations are idle. On llvmpipe, where the invocations of a group take turns at every barrier,
//! it took 12 times as long as `reduce_then_scan` when both read storage buffers (2^22).
//!
//! ```text
//! scan(IN):
//!   for each block j in parallel                 naive:  for offset = 1, 2, 4 .. B/2
//!     OUT[j], SUMS[j] = scan and sum of IN[j]              x'[k] = k >= offset ? x[k - offset] + x[k] : x[k]
//!   if there are several blocks
//!     INCR = scan(SUMS)                          others: for d = B/2, B/4 .. 1: each pair's sum, up the tree
//!     for each block j in parallel                       for d = 1, 2 .. B/2: down the tree,
//!       add INCR[j] to all of OUT[j]                       left, right = parent, parent + left
//! ```
//!
//! `variant=naive` has Horn's steps instead of the tree. `padded` and `zero_conflict` leave positions out, so that a
//! tree's sums lie in different banks. The padded kernel is the default. Its macro leaves no conflicts in blocks of up
//! to 32 x 32 items with 32 banks; the other macro's extra term is 0 there. With the 16 banks of the paper it is not.
//!
//! Deviations from the paper:
//! 1. The naive kernel adds `x[k - offset]` and `x[k]` of the old buffer; the printed one adds to what the new one
//!    held.
//! 2. The macro with zero conflicts is (n >> log k) + (n >> 2 log k), for k banks; the printed shifts go by k itself
//!    and over the sum. In block A the second offset is that of the second element. Block E writes the elements that A
//!    loaded.
//! 3. In listing 2 the writes follow the loop; the printed braces have them inside.
//! 4. Going down, the sum is parent + left and not left + parent: the operator need not commute.
//! 5. The remainder has no kernel of its own: any block is filled up with the identity while it is loaded, and to B,
//!    not to the next power of two.
//! 6. An inclusive scan of a tree is the exclusive one shifted left by one, with the total inserted at the end, block
//!    by block; the naive kernel just does not shift right.
//! 7. Banks are counted in items, whatever their size in words.
//! 8. A work group takes one member of the tuples of its block; sums lie interleaved as the tuples do.
//! 9. Streams longer than a binding are bound in parts. The sums of all parts are scanned together.

use super::Round;
use super::blocks::{BANKS, BlockSizes, BlockedStream, log_banks};
use crate::algorithm::{
    Algorithm, Built, Candidates, Card, Domain, Era, Need, NumberRange, Parameter, PseudoCode, Variants,
};
use crate::device::Device;
use crate::error::Error;
use crate::named::named;
use crate::plan::{Access, Construct, Plan, Slot};
use crate::scan::{ScanKind, ScanSpec, rounds, shader};
use crate::tuning::Shape;
use crate::unsupported::Unsupported;

pub static CARD: Card = Card {
    name: "harris",
    problem: &crate::scan::PROBLEM,
    era: Era::Compute,
    needs: Need::Compute,
    summary: "scan blocks in shared memory, scan their sums, add those to the blocks: 4n words",
    sources: &["harris2007", "hillis1986", "blelloch1990"],
    passes: "2 log(n) / log(B) - 1, in blocks of B items; 4n words",
    work: "3n; n log2 B if naive",
    parameters: &[
        Parameter {
            name: "variant",
            about: "naive: listing 1, no tree; work_efficient: listing 2; padded, zero_conflict: with listing 3's macros",
            default: "padded",
            candidates: Candidates::NONE,
            domain: Domain::words(Variant::WORDS),
        },
        Parameter {
            name: "block",
            about: "elements (with tuples: tuples) in a block; auto is tuned, or 512, or the most the device allows",
            default: "auto",
            candidates: Candidates::numbers(&[32, 64, 128, 256, 512, 1024, 2048]),
            domain: Domain::numbers(NumberRange { min: 2, max: 2048, powers_of_two: true }, &["auto"]),
        },
        BANKS,
    ],
    variants: Variants {
        all: &["", "variant=naive,block=16"],
        some: &[
            "variant=naive",
            "variant=work_efficient,block=64",
            "variant=padded,block=2",
            "variant=padded,block=128,banks=16",
            "variant=zero_conflict,block=512,banks=16",
            "variant=padded,block=16,banks=4",
        ],
    },
    pseudo_code: |arguments| match arguments.word("variant") {
        Some("naive") => vec![&LISTING_OF_LARGE_ARRAYS, &LISTING_OF_NAIVE],
        _ => vec![&LISTING_OF_LARGE_ARRAYS, &LISTING_OF_WORK_EFFICIENT],
    },
    build: |arguments| {
        let defaults = Harris::default();
        Built::of(Harris {
            variant: arguments.variant("variant", &Variant::ALL, Variant::name).unwrap_or_default(),
            block: arguments.number("block"),
            banks: arguments.number("banks").unwrap_or(defaults.banks),
        })
    },
};

/// The kernel that scans a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Variant {
    /// Listing 1: Hillis and Steele's steps between two buffers.
    Naive,
    /// Listing 2: a tree, up and down.
    WorkEfficient,
    /// The same with an unused address after each row of banks.
    #[default]
    Padded,
    /// The same with another one after as many rows as there are banks.
    ZeroConflict,
}

named!(Variant {
    Naive: "naive",
    WorkEfficient: "work_efficient",
    Padded: "padded",
    ZeroConflict: "zero_conflict",
});

impl Variant {
    /// Listing 3's macro: unused addresses before the n-th.
    fn padding(self, n: u32, log_banks: u32) -> u32 {
        match self {
            Variant::Naive | Variant::WorkEfficient => 0,
            Variant::Padded => n >> log_banks,
            Variant::ZeroConflict => (n >> log_banks) + (n >> (2 * log_banks)),
        }
    }
}

/// Harris's scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Harris {
    /// The kernel that scans a block.
    pub variant: Variant,
    /// Items (with tuples: tuples) in a block, a power of two from 2 to 2048; `None` is the fastest one measured on the
    /// device, else [`Harris::BLOCK`], or the most that the device has room for.
    pub block: Option<u32>,
    /// Banks of shared memory, a power of two from 2 to 32. They matter to the padded kernels.
    pub banks: u32,
}

impl Default for Harris {
    fn default() -> Harris {
        Harris { variant: Variant::default(), block: None, banks: 32 }
    }
}

impl Algorithm<ScanSpec> for Harris {
    fn name(&self) -> &'static str {
        "harris"
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &ScanSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let log_banks = log_banks(self.banks)?;
        let block = self.size(spec, device, log_banks)?;
        let kernel = Kernel { variant: self.variant, log_banks, block, device };
        plan.note_parameter("variant", self.variant.name());
        plan.note_parameter("block", kernel.block);
        // Kernels without padding do not depend on them, but their conflicts are counted on these banks.
        let meant = self.banks != Harris::default().banks;
        if meant || self.variant.padding(u32::MAX, log_banks) > 0 {
            plan.note_parameter("banks", self.banks);
        }
        rounds(spec, inputs[0], |source, round| {
            let target = plan.slot("scanned", *plan.layout(source));
            kernel.scan(plan, source, target, round)?;
            Ok::<_, Error>(target)
        })
    }
}

impl Harris {
    /// Items in a block: "a typical choice" of the paper.
    pub const BLOCK: u32 = 512;

    fn size(&self, spec: &ScanSpec, device: &Device, log_banks: u32) -> Result<u32, Unsupported> {
        // Only the default kernel was measured.
        let tuned = if *self == Harris::default() {
            device.tuning.parameter("scan", "harris", "block", Shape::PLAIN, spec.words())
        } else {
            None
        };
        let sizes = BlockSizes { asked: self.block, tuned, usual: Harris::BLOCK, range: 2..=2048 };
        sizes.choose(device, spec.item_words(), |block| match self.variant {
            Variant::Naive => (block, 2 * block),
            tree => (block / 2, block + tree.padding(block - 1, log_banks)),
        })
    }
}

/// A kernel with its numbers chosen.
struct Kernel<'d> {
    variant: Variant,
    log_banks: u32,
    block: u32,
    device: &'d Device,
}

impl Kernel<'_> {
    /// "Arrays of Arbitrary Size".
    fn scan(&self, plan: &mut Plan, source: Slot, target: Slot, round: Round) -> Result<(), Unsupported> {
        let blocks = BlockedStream::new(plan, source, round, self.block);
        if blocks.count() == 1 {
            return self.scan_blocks(plan, &blocks, source, target, None, round);
        }
        let sums = plan.slot("sums", blocks.sums());
        let increments = plan.slot("increments", blocks.sums());
        self.scan_blocks(plan, &blocks, source, target, Some(sums), round)?;
        let exclusive = Round { kind: ScanKind::Exclusive, ..round };
        self.scan(plan, sums, increments, exclusive)?;
        blocks.uniform_add(plan, target, increments, self.device)
    }

    /// Scans each block on its own, and stores the sums of the blocks if they are wanted.
    fn scan_blocks(
        &self,
        plan: &mut Plan,
        blocks: &BlockedStream,
        source: Slot,
        target: Slot,
        sums: Option<Slot>,
        round: Round,
    ) -> Result<(), Unsupported> {
        let exclusive = round.kind == ScanKind::Exclusive;
        let words = blocks.words();
        let (block, steps) = (u64::from(self.block), blocks.log_size());
        let (shader, invocations) = match self.variant {
            Variant::Naive => (shader!("scan/harris/naive.comp"), self.block),
            _ => {
                let tree = shader!("scan/harris/work_efficient.comp", "scan/harris/conflict_free.glsl");
                (tree, self.block / 2)
            }
        };
        for part in blocks.parts(self.device)? {
            let (items, groups) = (part.len(), part.groups());
            let written = items + if sums.is_some() { groups } else { 0 };
            let mut pass = blocks
                .dispatch(plan, "scan blocks", shader.clone(), invocations, &part)
                .define("EXCLUSIVE", exclusive)
                .define("SUMMED", sums.is_some())
                .bind_part("SOURCE", source, Access::Read, part.items.clone())
                .bind_part("TARGET", target, Access::Write, part.items);
            if let Some(sums) = sums {
                pass = pass.bind_part("SUMS", sums, Access::Write, part.sums);
            }
            if self.variant == Variant::Naive {
                // After a shift to the right, the last element of a block is only in its sum.
                let unread = if exclusive && sums.is_none() && blocks.last_is_full() { groups } else { 0 };
                let last = u64::from(exclusive && sums.is_some());
                pass.moves((items - unread) * words, written * words)
                    .adds(groups * (block * steps - (block - 1) + last), steps + last);
                continue;
            }
            let padding = match self.variant {
                Variant::Padded => 1,
                Variant::ZeroConflict => 2,
                _ => 0,
            };
            if padding > 0 {
                pass = pass.relies_on(Construct::PaddedSharedMemory);
            }
            pass.define("PADDING", padding)
                .define("LOG_NUM_BANKS", self.log_banks)
                .moves(items * words, written * words)
                .adds(groups * 2 * (block - 1), 2 * steps - 1);
        }
        Ok(())
    }
}

/// harris2007, "Arrays of Arbitrary Size".
static LISTING_OF_LARGE_ARRAYS: PseudoCode = PseudoCode {
    title: "Arrays of arbitrary size",
    sources: &["harris2007"],
    corrected: "",
    text: "
      scan blocks   | for each block j in parallel
      scan blocks   |   OUT[j] = scan of IN[j]
      scan blocks   |   SUMS[j] = sum of IN[j]
                    | if there are several blocks
      sums          |   INCR = scan of SUMS, in the same way
      uniform add   |   for each block j in parallel
      uniform add   |     add INCR[j] to all items of OUT[j]
",
};

/// harris2007, algorithm 2 and listing 1.
static LISTING_OF_NAIVE: PseudoCode = PseudoCode {
    title: "The naive scan of a block",
    sources: &["harris2007", "hillis1986"],
    corrected: "In print the condition is k >= 2^d, listing 1 adds to what the other buffer held, and exclusive scans \
                are left to listing 1.",
    text: "
      exclusive@load  !| if exclusive: x[in][k] = IN[k - 1]
      exclusive@load  !|   and x[in][0] = 0
      @step            | for d = 1 to log2 n
      @step            |   forall k in parallel
      @step           !|     if k >= 2^(d-1)
      @step           !|       x[out][k] = x[in][k - 2^(d-1)] + x[in][k]
      @step            |     else
      @step            |       x[out][k] = x[in][k]
      @step            |   swap(in, out)
",
};

/// harris2007, algorithms 3 and 4.
static LISTING_OF_WORK_EFFICIENT: PseudoCode = PseudoCode {
    title: "The work-efficient scan of a block",
    sources: &["harris2007", "blelloch1990"],
    corrected: "In print the way down runs from log2 n, one level too high, and inclusive scans are left out.",
    text: "
      @up               | for d = 0 to log2 n - 1
      @up               |   for k from 0 to n - 1 by 2^(d+1) in parallel
      @up               |     x[k + 2^(d+1) - 1] = x[k + 2^d - 1] + x[k + 2^(d+1) - 1]
      @root             | x[n - 1] = 0
      @down            !| for d = log2 n - 1 down to 0
      @down             |   for k from 0 to n - 1 by 2^(d+1) in parallel
      @down             |     t = x[k + 2^d - 1]
      @down             |     x[k + 2^d - 1] = x[k + 2^(d+1) - 1]
      @down             |     x[k + 2^(d+1) - 1] = t + x[k + 2^(d+1) - 1]
      inclusive@store  !| if inclusive: OUT[k] = x[k + 1]
      inclusive@store  !|   and OUT[n - 1] = the total
",
};
