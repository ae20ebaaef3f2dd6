//! Roger's compaction: each block is compacted on its own, and the results are concatenated by drawing lines.
//!
//! Source: roger2007, section III: III-B for the blocks, III-C and figure 7 for the concatenation. Work: O(n + n log s)
//! in blocks of s. Steps: those of the inner scan and of a scan over n / s counts, and 7; one less with
//! `wrap=geometry`, one less with `ends=fetched`.
//! Wins: over Horn's. H200, 60% kept: with the paper's parameters 1.9, 2.1 and 2.2 times as fast at 2^20, 2^22 and
//! 2^24; with `inner=packed,search=for,ends=fetched` 6.6 to 8.3 times, and 18 to 20 times as fast as `geometry`; at
//! 2^22 (H100) 8.1 and 20 times, with `found=drawn` 10 and 25 times (`docs/results.md`).
//! A pass over the stream costs a copy there however far it reads, so the six passes of the inner scan are expensive.
//! Transform feedback takes 5 ns a vertex, so capturing costs 2.2 copies in blocks of 64. The improved search is slower
//! than the one of fixed length. The drawing costs 1.3 copies. `packed` is faster. llvmpipe: twice as fast as Horn's at
//! 2^20, and 5.8 times with `inner=packed,search=for,wrap=geometry`.
//!
//! A plan's costs are the most: log2 s turns of a search for each element. With 60% kept at random the improved search takes 3.1
//! turns in blocks of 64 and 5.5 in blocks of 1024, and bisection between the same bounds 4.2 and 8.2 (`rasterscan reproduce
//! roger2007` counts them, for every share).
//!
//! On a GeForce 8800 GTS, roger2007 reports it 7.8 and 9.1 times as fast as `horn` at 2^20 and 2^22, 3.7 and 3.6 times
//! as fast as `horn:scan=blelloch`, and 1.9 and 2 times as fast as `geometry`. On the H200 it is 1.9 and 2.1 times,
//! 0.85 and 0.83 times, and 4.9 and 5.1 times: Horn's 22 passes over 2^22 elements cost 22 copies and the 6 in blocks
//! cost 6, so less is saved; a search in a block costs half of a search everywhere, not a fraction; and geometry
//! shaders are slower still.
//!
//! ```text
//! in each block, pSum = inclusive scan of the flags of unwanted elements     scan in blocks
//! in each block, for each i: find j with j - pSum[j] = i and x[j] wanted     search
//! D = scan of the last term of each block's pSum                             scan
//! for each block b: a segment from b s - D[b-1] to (b+1) s - D[b]            segments
//! draw each segment as a line of texels, of what stands D[b-1] places to its right; what crosses the right
//!   edge of the texture is wrapped to the next row                           concatenation
//! ```
//!
//! All elements of a block move left by the same distance, the number of unwanted elements before the block. In the
//! stream that is a segment; in the texture it is a line in a row, or two where it crosses the right edge:
//!
//! ```text
//! blocks of 4, compacted each alone        the result: rows of 8 texels
//!
//! a b . .   c d e .   f . . .   g h i j    a b c d e f g h
//!                                          i j . . . . . .
//! ```
//!
//! The block `g h i j` is drawn as two lines: `g h` at the end of the first row, `i j` at the beginning of the second.
//! A vertex shader cannot make two lines of one, and the CPU does not know which segments cross the edge. So *all*
//! segments are drawn twice: first their parts up to the edge, then the rest, which for most is empty and lies outside
//! the texture. With `wrap=geometry` they are drawn once, and a geometry shader splits those that cross. The paper
//! describes both (III-C) and prefers the second where there are geometry shaders; the first is the default here since
//! it runs everywhere and costs 1% more (H200, `docs/results.md`). One part for each row, whose segment is found by a
//! search, was tried too: expected 75 microseconds less at 2^22 (H100), came 7, since drawing at the edge takes the rest.
//!
//! Deviations from the paper:
//! 1. pSum counts the unwanted elements up to and including each one. The paper says "before", but its bounds need
//!    this.
//! 2. The segments' ends are captured by transform feedback in a buffer and drawn from it, so that wrapping by drawing
//!    twice computes them once; `ends=fetched` computes them in each draw.
//! 3. `inner=packed` has no running counts in blocks: a texel holds the bits of a block, and the search counts them.
//!    With `found=drawn` this search is that of the fragments of the segments: no pass stores compacted blocks.
//! 4. `draw=quads` draws rectangles one texel high, for drivers whose lines do not end where they should.
//! 5. The scan over the blocks' counts is of the same kind as that in the blocks, unless `scan` names another.
//! 6. `inner=hybrid` is what section IV names and did not test: half of log2 s reduce passes, then Horn's steps. In blocks of 64 it
//!    writes 3.0 texels for each element in 9 passes, where Hillis and Steele's writes 6 in 6 and Blelloch's 2.95 in 12.

mod concatenate;

use super::stages::Flag;
use std::sync::Arc;

use concatenate::Elements;

use super::{Compaction, Moved, Search, build};
use crate::algorithm::{
    Algorithm, Built, Candidates, Card, Choice, Domain, Era, Need, NumberRange, Parameter, Placement,
    PseudoCode, Variants,
};
use crate::compact::{CompactSpec, shader};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::named::named;
use crate::plan::{AtMost, DrawRecorder, Layout, Plan, Shader, Slot, Uniform};
use crate::scan::texture::{self, horn_in_blocks, hybrid_in_blocks};
use crate::scan::{self, AnyScan};
use crate::unsupported::Unsupported;

pub static CARD: Card = Card {
    name: "blocks",
    problem: &crate::compact::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "compacts each block on its own, then joins the blocks by drawing lines",
    sources: &["roger2007"],
    passes: "log2 n + 7 with the default scans",
    work: "in blocks of s: log2 s adds, up to log2 s fetches to find it, and two moves",
    parameters: &[
        Parameter {
            name: "size",
            about: "elements in a block",
            default: "64",
            candidates: Candidates::NONE,
            domain: Domain::numbers(NumberRange { min: 8, max: 1024, powers_of_two: true }, &[]),
        },
        Parameter {
            name: "inner",
            about: "the scan in blocks; hybrid reduces for half of the levels; packed counts bits instead",
            default: "hillis",
            candidates: Candidates::NONE,
            domain: Domain::words(Inner::WORDS),
        },
        Parameter {
            name: "search",
            about: "a loop of fixed length, or one that ends when the element is found",
            default: "while",
            candidates: Candidates::NONE,
            domain: Domain::words(Search::WORDS),
        },
        Parameter {
            name: "found",
            about: "when elements are found: first, by a pass that stores compacted blocks, or as segments are drawn, which \
                    needs inner=packed and saves that pass",
            default: "first",
            candidates: Candidates::NONE,
            domain: Domain::words(Found::WORDS),
        },
        Parameter {
            name: "wrap",
            about: "segments that cross the right edge: all drawn twice, or split by a geometry shader (GL 3.3, ES 3.2)",
            default: "twice",
            candidates: Candidates::NONE,
            domain: Domain::words(Wrap::WORDS),
        },
        Parameter {
            name: "ends",
            about: "the segments' ends: captured once by transform feedback, or fetched by each draw",
            default: "captured",
            candidates: Candidates::NONE,
            domain: Domain::words(Ends::WORDS),
        },
        Parameter {
            name: "draw",
            about: "what segments are drawn as; auto is lines where the device draws them exactly",
            default: "auto",
            candidates: Candidates::NONE,
            domain: Domain::words(Draw::WORDS),
        },
        Parameter {
            name: "scan",
            about: "the scan of the blocks' counts; auto is the same kind as inner",
            default: "auto",
            candidates: Candidates::NONE,
            domain: Domain::algorithms(scan::OF_TEXTURES, &["auto"]),
        },
    ],
    variants: Variants {
        all: &[
            "",
            "size=8,inner=hillis,search=for",
            "size=16,inner=blelloch,search=while,draw=quads",
            "size=32,inner=hybrid",
            "size=64,inner=packed,search=for,wrap=geometry",
            "size=8,inner=packed,search=while",
            "size=1024,inner=packed,search=for,draw=quads,wrap=geometry",
            "size=32,inner=packed,ends=fetched",
            "size=256,inner=blelloch,search=for,wrap=geometry,ends=fetched",
            "size=64,inner=packed,search=for,found=drawn,ends=fetched",
            "size=16,inner=packed,found=drawn,draw=quads",
            "size=512,inner=packed,search=for,found=drawn,wrap=geometry",
        ],
        some: &[],
    },
    pseudo_code: |arguments| {
        let inner = arguments.word("inner");
        let counts = if inner == Some("packed") { &LISTING_OF_BLOCKS_OF_BITS } else { &LISTING_OF_BLOCKS };
        let search = match arguments.word("search") {
            Some("for") => &LISTING_OF_SEARCH_FOR,
            _ => &LISTING_OF_SEARCH_WHILE,
        };
        let usual = match inner {
            Some("blelloch") => &scan::texture::hybrid::BLELLOCH,
            Some("hybrid") => &scan::texture::hybrid::CARD,
            Some("packed") => &scan::texture::packed::CARD,
            _ => &scan::texture::horn::CARD,
        };
        let scan = arguments.choice("scan").map_or_else(|| usual.pseudo_code(), Choice::pseudo_code);
        [counts, search].into_iter().chain(scan).collect()
    },
    build: |arguments| {
        let defaults = Blocks::default();
        Built::of(Blocks {
            size: arguments.number("size").unwrap_or(defaults.size),
            inner: arguments.variant("inner", &Inner::ALL, Inner::name).unwrap_or(defaults.inner),
            search: arguments.variant("search", &Search::ALL, Search::name).unwrap_or(defaults.search),
            found: arguments.variant("found", &Found::ALL, Found::name).unwrap_or(defaults.found),
            wrap: arguments.variant("wrap", &Wrap::ALL, Wrap::name).unwrap_or(defaults.wrap),
            ends: arguments.variant("ends", &Ends::ALL, Ends::name).unwrap_or(defaults.ends),
            draw: arguments.variant("draw", &Draw::ALL, Draw::name),
            scan: arguments.algorithm("scan"),
        })
    },
};

/// Blocks, concatenated by lines.
#[derive(Debug, Clone)]
pub struct Blocks {
    /// Elements in a block: a power of two from 8 to 1024.
    pub size: u32,
    /// The scan that counts the unwanted elements in a block.
    pub inner: Inner,
    /// The search for the element of each position in a block.
    pub search: Search,
    /// When the elements are found.
    pub found: Found,
    /// The handling of segments that cross the right edge.
    pub wrap: Wrap,
    /// The source of the segments' ends.
    pub ends: Ends,
    /// The shape of a segment; `None` is lines where the device draws them exactly.
    pub draw: Option<Draw>,
    /// The scan of the blocks' counts, any that scans textures; `None` is one of the same kind as `inner`.
    pub scan: Option<AnyScan>,
}

/// The scan in the blocks, and of their counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Inner {
    /// Horn's steps: log2 s passes for blocks of s.
    #[default]
    Hillis,
    /// A reduce and a down-sweep.
    Blelloch,
    /// Reduce passes for half of the levels, Horn's steps for the other half, and a down-sweep.
    Hybrid,
    /// Counts are taken from bits; there is no scan in the blocks.
    Packed,
}

named!(Inner { Hillis: "hillis", Blelloch: "blelloch", Hybrid: "hybrid", Packed: "packed" });

/// When the element of each place is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Found {
    /// In a pass that stores each block compacted; segments are drawn from these blocks, as in the paper.
    #[default]
    First,
    /// As segments are drawn, in the bits of their block: needs [`Inner::Packed`].
    Drawn,
}

named!(Found { First: "first", Drawn: "drawn" });

/// The handling of a segment that crosses the right edge of the texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Wrap {
    /// All segments are drawn twice: first the part up to the edge, then the part beyond it.
    #[default]
    Twice,
    /// A geometry shader splits the segment.
    Geometry,
}

named!(Wrap { Twice: "twice", Geometry: "geometry" });

/// The source of the segments' ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Ends {
    /// A buffer into which transform feedback has captured them, once.
    #[default]
    Captured,
    /// The scanned counts, from which each draw's vertex stage computes them again.
    Fetched,
}

named!(Ends { Captured: "captured", Fetched: "fetched" });

/// The primitive that a segment is drawn as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// A line of one row of texels.
    Lines,
    /// Two triangles: a rectangle one texel high.
    Quads,
}

named!(Draw, or "auto" { Lines: "lines", Quads: "quads" });

impl Default for Blocks {
    /// The paper's: blocks of 64, its best, with the improved search; all segments are drawn twice, which needs no
    /// geometry shader.
    fn default() -> Self {
        Blocks {
            size: 64,
            inner: Inner::Hillis,
            search: Search::While,
            found: Found::First,
            wrap: Wrap::Twice,
            ends: Ends::Captured,
            draw: None,
            scan: None,
        }
    }
}

impl Algorithm<CompactSpec> for Blocks {
    fn name(&self) -> &'static str {
        "blocks"
    }

    fn placement(&self, spec: &CompactSpec, device: &Device) -> Result<Placement, Error> {
        if !(8..=1024).contains(&self.size) || !self.size.is_power_of_two() {
            let size = self.size;
            return Err(Unsupported::parameter(format!(
                "the block size cannot be {size}; expected a power of two from 8 to 1024"
            ))
            .into());
        }
        if self.found == Found::Drawn && self.inner != Inner::Packed {
            let inner = self.inner.name();
            return Err(Unsupported::parameter(format!(
                "found=drawn searches the bits of a block, and inner={inner} has none; use inner=packed"
            ))
            .into());
        }
        if self.wrap == Wrap::Geometry {
            Unsupported::unless_geometry(device, "blocks:wrap=geometry")?;
        }
        if spec.columns.is_some_and(|columns| columns < self.size) {
            return Err(Unsupported::too_large(format!(
                "blocks of {} in {} columns would cross the edge of a row more than once; use smaller \
                 blocks, or at least {0} columns",
                self.size,
                spec.columns.unwrap_or_default()
            ))
            .into());
        }
        // Blocks lie within rows; so do texels of bits, each of 128 elements.
        let unit = if self.inner == Inner::Packed { self.size.max(128) } else { self.size };
        Ok(Placement::Texture { items_per_texel: 1, unit })
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &CompactSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let draw = self.draw.unwrap_or(if device.exact_lines { Draw::Lines } else { Draw::Quads });
        plan.note_parameter("size", self.size);
        plan.note_parameter("inner", self.inner.name());
        plan.note_parameter("search", self.search.name());
        if self.found != Found::default() {
            plan.note_parameter("found", self.found.name());
        }
        plan.note_parameter("wrap", self.wrap.name());
        plan.note_parameter("ends", self.ends.name());
        plan.note_parameter("draw", draw.name());
        let scan = self.scan.clone().unwrap_or_else(|| self.inner.usual_scan());
        build(plan, spec, inputs, device, |plan, compaction| {
            let input = compaction.layout;
            let scanned = scan::of_counts(spec.len.div_ceil(u64::from(self.size)));
            let (per_texel, unit) = scan::in_texels(&*scan, scanned.len, device)?;
            let counts = Layout::fit(device, ElementType::U32, 1, per_texel, scanned.len, unit)?;
            let steps = Steps { blocks: self, draw, compaction, counts };
            let compacted = |plan: &mut Plan| Moved {
                values: spec.moves.values().then(|| plan.slot("compacted blocks", input)),
                indices: spec.moves.indices().then(|| plan.slot("their indices", input.of(ElementType::U32))),
            };
            let (from, unwanted) = match self.inner {
                Inner::Packed => {
                    let bits = steps.bits(plan);
                    let from = match self.found {
                        Found::Drawn => Elements::Bits(bits),
                        Found::First => {
                            let into = compacted(plan);
                            steps.search_bits(plan, bits, into);
                            Elements::Blocks(into)
                        }
                    };
                    (from, steps.count_bits(plan, bits))
                }
                Inner::Hillis | Inner::Blelloch | Inner::Hybrid => {
                    let into = compacted(plan);
                    (Elements::Blocks(into), steps.by_sums(plan, into))
                }
            };
            let sums = match self.scan {
                Some(_) => scan::append(plan, &scan, &scanned, unwanted, device)?,
                None => plan.append(&*scan, &scanned, &[unwanted], device)?[0],
            };
            steps.concatenate(plan, from, sums);
            compaction.count_from_sums(plan, sums);
            Ok(())
        })
    }
}

/// The steps that build the plan.
struct Steps<'a> {
    blocks: &'a Blocks,
    draw: Draw,
    compaction: &'a Compaction,
    /// The layout of the blocks' counts.
    counts: Layout,
}

impl Steps<'_> {
    fn size(&self) -> u64 {
        u64::from(self.blocks.size)
    }

    fn len(&self) -> Uniform {
        Uniform::Int(self.compaction.spec.len as i32)
    }

    /// Compacts the blocks by running counts; returns the number of unwanted elements of each.
    fn by_sums(&self, plan: &mut Plan, into: Moved) -> Slot {
        let flags = self.compaction.flags(plan, 1, Flag::Unwanted);
        let sums = match self.blocks.inner {
            Inner::Blelloch => hybrid_in_blocks(plan, flags, self.size(), u32::MAX),
            Inner::Hybrid => hybrid_in_blocks(plan, flags, self.size(), self.blocks.size.ilog2() / 2),
            _ => horn_in_blocks(plan, flags, self.size()),
        };
        self.compaction.search(plan, sums, Some(self.size()), self.blocks.search, into);
        let unwanted = plan.slot("unwanted", self.counts);
        plan.draw("ends", shader!("compact/blocks/ends.frag"))
            .define("PER_TEXEL", i64::from(self.counts.items_per_texel))
            .define("BLOCK", self.size() as i64)
            .read("u_sums", sums)
            .fetches("u_sums", self.counts.len)
            .write(unwanted);
        unwanted
    }

    /// A bit for each element, 1 where it is kept.
    fn bits(&self, plan: &mut Plan) -> Slot {
        let stream = self.compaction.layout;
        let words = self.words();
        let layout =
            Layout { element: ElementType::U32, arity: words, width: stream.width / (32 * words), ..stream };
        let bits = plan.slot_of_bits("bits", layout.with_len(stream.len.div_ceil(32 * u64::from(words))));
        let texels = plan.layout(bits).len;
        let pass = plan.draw("bits", shader!("compact/blocks/bits.frag")).define("WORDS", i64::from(words));
        // The last texel of bits may have fewer elements.
        let pass = pass.at_most(AtMost::READ);
        self.compaction.decide(pass, texels * 32 * u64::from(words)).write(bits);
        bits
    }

    /// Words in a texel of bits.
    fn words(&self) -> u32 {
        (self.blocks.size / 32).clamp(1, 4)
    }

    /// Lets a pass read the bits of a block (`glsl/compact/blocks/block_bits.glsl`) `times` times.
    fn read_bits<'p>(&self, pass: DrawRecorder<'p>, bits: Slot, times: u64) -> DrawRecorder<'p> {
        // The most texels of bits in a block.
        let fetched = u64::from(self.blocks.size.div_ceil(32 * self.words()));
        pass.define("BLOCK", self.size() as i64)
            .define("WORDS", i64::from(self.words()))
            .set("u_len", self.len())
            .read("u_bits", bits)
            .fetches("u_bits", fetched * times)
            // The last block may have fewer.
            .at_most(AtMost::READ)
    }

    /// Compacts the blocks by their bits.
    fn search_bits(&self, plan: &mut Plan, bits: Slot, into: Moved) {
        let pass = plan.draw("search", SEARCH_BITS).at_most(AtMost::WRITTEN);
        self.find_in_bits(pass, bits, Found::First, self.compaction.spec.len, into);
    }

    /// Lets a pass with [`SEARCH_BITS`] find and move the elements of so many places.
    fn find_in_bits<'p>(
        &self,
        pass: DrawRecorder<'p>,
        bits: Slot,
        found: Found,
        places: u64,
        into: Moved,
    ) -> DrawRecorder<'p> {
        let pass = self
            .read_bits(pass, bits, places)
            .define("IMPROVED", i64::from(self.blocks.search == Search::While))
            .define("DRAWN", i64::from(found == Found::Drawn));
        self.compaction.gather(pass, places, into)
    }

    /// The number of unwanted elements of each block.
    fn count_bits(&self, plan: &mut Plan, bits: Slot) -> Slot {
        let unwanted = plan.slot("unwanted", self.counts);
        let pass =
            plan.draw("counts", shader!("compact/blocks/counts.frag", "compact/blocks/block_bits.glsl"));
        self.read_bits(pass, bits, self.counts.len)
            .define("PER_TEXEL", i64::from(self.counts.items_per_texel))
            .write(unwanted);
        unwanted
    }
}

/// The search in the bits of blocks.
const SEARCH_BITS: Shader = shader!("compact/blocks/search_bits.frag", "compact/blocks/block_bits.glsl");

impl Inner {
    /// The scan of the blocks' counts of the same kind.
    fn usual_scan(self) -> AnyScan {
        match self {
            Inner::Hillis => Arc::new(texture::Horn),
            Inner::Blelloch => Arc::new(texture::Blelloch),
            Inner::Hybrid => Arc::new(texture::Hybrid::default()),
            Inner::Packed => Arc::new(texture::Packed::default()),
        }
    }
}

/// roger2007, section III.
static LISTING_OF_BLOCKS: PseudoCode = PseudoCode {
    title: "Compaction in blocks",
    sources: &["roger2007"],
    corrected: "In print pSum counts unwanted elements before an element; the bounds need those up to it.",
    text: "
                       | in each block of s elements, in parallel
      flags            |   flag[k] = 1 if x[k] is unwanted, else 0
      scan in blocks  !|   pSum = inclusive scan of flag
      search           |   for each i: find j, and out[i] = x[j]
      ends             | D = the last term of each block's pSum
      scan             | D = inclusive scan of D
      segments         | for each block b: a segment
      segments         |   from b s - D[b - 1] to (b + 1) s - D[b]
      left parts, lines, rectangles    | draw each segment as a line of what stands D[b - 1] places to its right
      wrapped parts, lines, rectangles |   what crosses the right edge goes on in the next row
      count            | count = n - D[last]
",
};

/// The same with flags as bits: ours.
static LISTING_OF_BLOCKS_OF_BITS: PseudoCode = PseudoCode {
    title: "Compaction in blocks, by bits",
    sources: &["roger2007"],
    corrected: "",
    text: "
      bits             | bits = a bit for each element, 1 where it is kept
                       | in each block of s elements, in parallel
      search           |   for each i: find j in the bits, and out[i] = x[j]
      counts           | D = the unwanted of each block
      scan             | D = inclusive scan of D
      segments         | for each block b: a segment
      segments         |   from b s - D[b - 1] to (b + 1) s - D[b]
      left parts, lines, rectangles    | draw each segment as a line of what stands D[b - 1] places to its right
      wrapped parts, lines, rectangles |   what crosses the right edge goes on in the next row
      count            | count = n - D[last]
",
};

/// roger2007, figure 5.
static LISTING_OF_SEARCH_WHILE: PseudoCode = PseudoCode {
    title: "The improved dichotomic search",
    sources: &["roger2007"],
    corrected: "",
    text: "
      search   | lowerBound = i + pSum[i]
      search   | upperBound = i + pSum[s - 1]
      search   | if upperBound > s - 1
      search   |   there is no element at position i: stop here
      search   | j = (lowerBound + upperBound) / 2
      search   | found = j - pSum[j] - i
      search   | while found != 0 or x[j] is unwanted
      search   |   if found < 0
      search   |     lowerBound = j - found
      search   |   else
      search   |     upperBound = j - max(1, found)
      search   |   j = (lowerBound + upperBound) / 2
      search   |   found = j - pSum[j] - i
      search   | return x[j]
",
};

/// roger2007, section III-B, for loops of fixed length.
static LISTING_OF_SEARCH_FOR: PseudoCode = PseudoCode {
    title: "The dichotomic search of fixed length",
    sources: &["roger2007"],
    corrected: "",
    text: "
      search   | lowerBound = i + pSum[i]
      search   | upperBound = i + pSum[s - 1]
      search   | if upperBound > s - 1
      search   |   there is no element at position i: stop here
      search   | repeat log2 s times
      search   |   j = (lowerBound + upperBound) / 2
      search   |   if j - pSum[j] >= i
      search   |     upperBound = j
      search   |   else
      search   |     lowerBound = j + 1
      search   | return x[upperBound]
",
};
