//! Capannini's scan: a tree in shared memory whose access pattern never makes two invocations wait for one bank.
//!
//! Source: capannini2011; harris2007 and horn2005 for the patterns that it is compared with. Work: about 4n words
//! moved, 2n adds, or n log B by the method of the Connection Machine (CM), where B is the size of a block.
//! Steps: 2 log_B(n) - 1 passes.
//! Wins: against the other patterns, where a scan waits for shared memory. Not against scans that keep items in
//! registers, and not at all on a CPU, which has no banks.
//!
//! On an H200 `left_right` takes 5 to 8% longer than `padding` (10,752 blocks of 2^6 to 2^11 items, 13% at 2^7),
//! although the paper found it faster. The K-model explains this once all accesses are counted, not only those of the
//! sums: a left operand that its sum displaces must be kept for the way down, a seventh more loads and stores. The
//! pattern saves some shared memory, of which that card has plenty. Conflicts cost `no_padding` up to 27%, far less
//! than the model's time T, because most of the time goes to barriers and to the trip through memory, which the model
//! does not count. So `cm` is the fastest from 2^10 on, despite all its additions. Blocks
//! padded for the paper's 16 banks take the same time within 3%.
//!
//! ```text
//! scan(in):
//!   for each block j in parallel                        trees in A[], by where node i of level d + 1 has its sum:
//!     lines 1-6: up the tree of in[j], to out[j]          NO_PADDING  at its right operand
//!     partial[j] = the total                              PADDING     there, with a place left out after k
//!   partial = scan(partial)                               LEFT_RIGHT  left operand if bit log k - 1 of i is 0,
//!   for each block j in parallel                                      else right operand
//!     the root of out[j] = partial[j]
//!     lines 8-15: down the tree, to out[j]              CM: for d = 1 .. log B:
//!                                                             A[i] = A[i - 2^(d-1)] + A[i]  where i >= 2^(d-1)
//! ```
//!
//! One pass scans a single block, up and down. CM has no tree to come down: it scans blocks, and the sum before a block
//! is added to it.
//!
//! Deviations from the paper:
//! 1. Equation 2 is used in blocks of up to k^2 items, and the paper has longer ones. From level log k + 1 on its base
//!    forgets which operands were right ones; here all m bits below x are ROT^m(x), repeated. Banks are the same. ROT
//!    rotates to the left; the printed code rotates to the right and does not mask.
//! 2. Algorithm 3 overwrites left operands, which the way down needs: a left operand that its sum displaces moves to
//!    the position of the right one, which is no longer needed.
//! 3. Lines 3 and 4 of algorithm 3 load left operands, then right ones, and so half of the banks at a time. Here the
//!    operand whose position the sum takes is loaded first, then the other one.
//! 4. Algorithm 1's guard is 2^(d-1) <= k, not 2^d.
//! 5. CM keeps the sums of a step in local variables as section VII says, but all of them: of a whole block.
//! 6. An inclusive scan shifts each block, and the sum before it, left by one and inserts its total at the end; the
//!    root has the total until it is overwritten.
//! 7. Trees are stored in whole blocks, the last one too: there are sums past the end of the stream.
//! 8. Banks are counted in items, whatever their size in words.
//! 9. A work group takes one member of the tuples of its block. Streams longer than a binding are bound in parts.

mod kernels;

use super::blocks::{BANKS, BlockSizes, log_banks};
use crate::algorithm::{
    Algorithm, Built, Candidates, Card, Domain, Era, Need, NumberRange, Parameter, PseudoCode, Variants,
};
use crate::device::Device;
use crate::error::Error;
use crate::named::named;
use crate::plan::{Plan, Slot};
use crate::scan::{ScanSpec, rounds};
use crate::tuning::Shape;
use kernels::Kernels;

pub static CARD: Card = Card {
    name: "capannini",
    problem: &crate::scan::PROBLEM,
    era: Era::Compute,
    needs: Need::Compute,
    summary: "a tree in each block whose sums always lie in different banks: 4n words",
    sources: &["capannini2011", "harris2007", "hillis1986"],
    passes: "2 log(n) / log(B) - 1, in blocks of B items; 4n words",
    work: "2n; n log2 B without a tree",
    parameters: &[
        Parameter {
            name: "pattern",
            about: "shared-memory access pattern: cm has no tree; of the trees, left_right is conflict-free",
            default: "left_right",
            candidates: Candidates::NONE,
            domain: Domain::words(AccessPattern::WORDS),
        },
        Parameter {
            name: "block",
            about: "elements (with tuples: tuples) in a block; auto is tuned, or 1024, or the most the device allows",
            default: "auto",
            candidates: Candidates::numbers(&[32, 64, 128, 256, 512, 1024, 2048]),
            domain: Domain::numbers(NumberRange { min: 2, max: 2048, powers_of_two: true }, &["auto"]),
        },
        BANKS,
    ],
    variants: Variants {
        all: &["pattern=cm,block=64", "pattern=left_right,block=32"],
        some: &[
            "",
            "pattern=cm,block=2048",
            "pattern=no_padding,block=128",
            "pattern=padding,block=64,banks=16",
            "pattern=left_right,block=512,banks=16",
            "pattern=left_right,block=128,banks=2",
        ],
    },
    pseudo_code: |arguments| match arguments.word("pattern") {
        Some("cm") => vec![&LISTING_OF_BLOCKS_OF_CM, &LISTING_OF_CM],
        Some("left_right") => vec![&LISTING_OF_BLOCKS_OF_TREES, &LISTING_OF_TREE],
        _ => vec![&LISTING_OF_BLOCKS_OF_TREES, &LISTING_OF_TREE_IN_PLACE],
    },
    build: |arguments| {
        let defaults = Capannini::default();
        Built::of(Capannini {
            pattern: arguments
                .variant("pattern", &AccessPattern::ALL, AccessPattern::name)
                .unwrap_or_default(),
            block: arguments.number("block"),
            banks: arguments.number("banks").unwrap_or(defaults.banks),
        })
    },
};

/// The addresses of a block's sums. The K-model has patterns of the same names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AccessPattern {
    /// No tree: Hillis and Steele's steps, as on the Connection Machine.
    Cm,
    /// A tree in place, with its bank conflicts.
    NoPadding,
    /// The same, with an unused address after each row of banks.
    Padding,
    /// A sum replaces its left or its right operand, so that addresses used at a time lie in different banks.
    #[default]
    LeftRight,
}

named!(AccessPattern { Cm: "cm", NoPadding: "no_padding", Padding: "padding", LeftRight: "left_right" });

/// Capannini's scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capannini {
    /// The addresses of a block's sums.
    pub pattern: AccessPattern,
    /// Items (with tuples: tuples) in a block, a power of two from 2 to 2^11; `None` is the fastest one measured on
    /// the device, else [`Capannini::BLOCK`], or the most that the device has room for.
    pub block: Option<u32>,
    /// Banks of shared memory, the k of the paper: a power of two from 2 to 32. They matter to `Padding` and `LeftRight`.
    pub banks: u32,
}

impl Default for Capannini {
    fn default() -> Capannini {
        Capannini { pattern: AccessPattern::default(), block: None, banks: 32 }
    }
}

impl Algorithm<ScanSpec> for Capannini {
    fn name(&self) -> &'static str {
        "capannini"
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &ScanSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let kernels = self.kernels(spec, device)?;
        self.note_parameters(&kernels, plan);
        rounds(spec, inputs[0], |source, round| kernels.arbitrary(plan, source, round))
    }
}

/// The paper's case (i): each block scanned on its own.
#[derive(Debug)]
struct Alone(Capannini);

impl Algorithm<ScanSpec> for Alone {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &ScanSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let kernels = self.0.kernels(spec, device)?;
        self.0.note_parameters(&kernels, plan);
        rounds(spec, inputs[0], |source, round| kernels.alone(plan, source, round))
    }
}

impl Capannini {
    /// Items in a block, half of the longest: every invocation has two, and every device runs 512 invocations well.
    pub const BLOCK: u32 = 1024;

    /// The paper's case (i), a plan that scans each block of [`Self::block`] items on its own (with tuples: of as many
    /// tuples): block j of the result is the scan of block j of the stream. The last block may be shorter.
    ///
    /// Errors: as [`Algorithm::plan`].
    ///
    /// ```
    /// use rasterscan::scan::compute::Capannini;
    /// use rasterscan::{Device, ScanSpec};
    ///
    /// let capannini = Capannini { block: Some(2048), ..Capannini::default() };
    /// let spec = ScanSpec::new::<u32>(10_752 * 2048).exclusive(); // the stream of figure 5
    /// let plan = capannini.independent_blocks(&spec, &Device::gl43())?;
    /// assert_eq!(plan.cost().words_moved(), 2 * spec.len);
    /// # Ok::<(), rasterscan::Error>(())
    /// ```
    pub fn independent_blocks(&self, spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
        let plan = Alone(*self).plan(spec, device)?;
        let block = self.kernels(spec, device)?.block;
        Ok(plan.task(format!("{spec}, each block of {block} alone")))
    }

    fn kernels<'d>(&self, spec: &ScanSpec, device: &'d Device) -> Result<Kernels<'d>, Error> {
        let log_banks = log_banks(self.banks)?;
        let padding = |block: u32| match self.pattern {
            AccessPattern::Padding => (block - 1) >> log_banks,
            _ => 0,
        };
        let needs = |block: u32| (block / 2, block + padding(block));
        // Only the default pattern was measured.
        let tuned = if *self == Capannini::default() {
            device.tuning.parameter("scan", "capannini", "block", Shape::PLAIN, spec.words())
        } else {
            None
        };
        let sizes = BlockSizes { asked: self.block, tuned, usual: Capannini::BLOCK, range: 2..=2048 };
        let block = sizes.choose(device, spec.item_words(), needs)?;
        Ok(Kernels { pattern: self.pattern, block, log_banks, device })
    }

    fn note_parameters(&self, kernels: &Kernels<'_>, plan: &mut Plan) {
        plan.note_parameter("pattern", self.pattern.name());
        plan.note_parameter("block", kernels.block);
        match self.pattern {
            // Their shaders do not depend on them, but their conflicts are counted on these banks.
            AccessPattern::Cm | AccessPattern::NoPadding if self.banks == Capannini::default().banks => {}
            _ => plan.note_parameter("banks", self.banks),
        }
    }
}

/// capannini2011, section VIII.
static LISTING_OF_BLOCKS_OF_TREES: PseudoCode = PseudoCode {
    title: "Large arrays",
    sources: &["capannini2011"],
    corrected: "",
    text: "
      scan blocks                         | a single block: up its tree and down again
                                          | for each block j in parallel
      up-sweep@up                         |   lines 1-6 of the tree over in[j]
      up-sweep@store                      |   partial[j] = the root
      sums                                | partial = scan of partial, in the same way
                                          | for each block j in parallel
      down-sweep@root                     |   the root = partial[j]
      down-sweep@down, down-sweep@store   |   lines 8-15 of the tree, to out[j]
",
};

/// capannini2011, algorithms 2 and 3.
static LISTING_OF_TREE: PseudoCode = PseudoCode {
    title: "A tree without conflicts",
    sources: &["capannini2011", "harris2007"],
    corrected: "In print the sum overwrites a left operand that the way down still needs, which here moves to the place of \
                the right one; and inclusive scans are left out.",
    text: "
      @up                        | 1  for d = 0 to log2 n - 1
      @up                        | 2    for i = 0 to n/2^(d+1) - 1 in parallel
      @up                        | 3      x = A[LEFTRIGHT(2i, d)]
      @up                        | 4      y = A[LEFTRIGHT(2i + 1, d)]
      @up                        | 5      A[LEFTRIGHT(i, d + 1)] = x + y
      @up                       !| 6      a left operand in that place moves to the other
      scan/capannini/scan@root   | 7  the root = 0
      @down                      | 8  for d = log2 n - 1 down to 0
      @down                      | 9    for i = 0 to n/2^(d+1) - 1 in parallel
      @down                      | 11     before = A[LEFTRIGHT(i, d + 1)]
      @down                      | 12     the left child takes before
      @down                      | 13     the right child takes before + the left operand
      inclusive@store           !|    if inclusive: out[k] = A[k + 1]
      inclusive@store           !|      and out[n - 1] = the total
",
};

/// capannini2011, algorithm 2.
static LISTING_OF_TREE_IN_PLACE: PseudoCode = PseudoCode {
    title: "A tree in place",
    sources: &["capannini2011", "harris2007"],
    corrected: "In print inclusive scans are left out.",
    text: "
      @up                        | 1  for d = 0 to log2 n - 1
      @up                        | 2    for k = 0 to n - 1 by 2^(d+1) in parallel
      @up                        | 3      i = k + 2^d - 1
      @up                        | 4      A[i + 2^d] = A[i + 2^d] + A[i]
      scan/capannini/scan@root   | 7  A[n - 1] = 0
      @down                      | 8  for d = log2 n - 1 down to 0
      @down                      | 9    for k = 0 to n - 1 by 2^(d+1) in parallel
      @down                      | 10     i = k + 2^d - 1
      @down                      | 11     temp = A[i]
      @down                      | 12     A[i] = A[i + 2^d]
      @down                      | 13     A[i + 2^d] = A[i + 2^d] + temp
      inclusive@store           !|    if inclusive: out[k] = A[k + 1]
      inclusive@store           !|      and out[n - 1] = the total
",
};

/// The blocks of the Connection Machine's method, which has no way down.
static LISTING_OF_BLOCKS_OF_CM: PseudoCode = PseudoCode {
    title: "Large arrays",
    sources: &["capannini2011"],
    corrected: "",
    text: "
                    | for each block j in parallel
      scan blocks   |   out[j] = scan of in[j]
      scan blocks   |   partial[j] = its total
      sums          | partial = scan of partial, in the same way
                    | for each block j in parallel
      uniform add   |   add partial[j] to all items of out[j]
",
};

/// capannini2011, algorithm 1.
static LISTING_OF_CM: PseudoCode = PseudoCode {
    title: "The work-inefficient scan (CM)",
    sources: &["capannini2011", "hillis1986"],
    corrected: "In print the condition is 2^d <= k, and exclusive scans are left out.",
    text: "
      @step             | for d = 1 to log2 n
      @step             |   for all k in parallel
      @step            !|     if 2^(d-1) <= k < n
      @step             |       A[k] = A[k] + A[k - 2^(d-1)]
      exclusive@store  !| if exclusive: out[k] = A[k - 1]
      exclusive@store  !|   and out[0] = 0
",
};
