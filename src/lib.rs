//! Prefix sums (scans), stream compaction and reductions on the GPU: with textures and framebuffers, as before compute
//! shaders, and with compute shaders.
//!
//! Result `i` of a scan combines the items `0..=i`. A compaction moves the wanted items to the front, in order. Both
//! look serial, but run in parallel. On OpenGL 3.3 or OpenGL ES 3.0 this crate computes them by drawing into textures,
//! with the algorithms of the *texture era* ([`scan::texture`], [`compact::texture`]). From OpenGL 4.3 or OpenGL ES 3.1
//! on, it also has those of the *compute era*, which are compute shaders over buffers ([`scan::compute`],
//! [`compact::compute`]).
//!
//! One call for one result, by the best algorithm for the device:
//!
//! ```
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), rasterscan::Error> {
//! use rasterscan::{Comparison, Condition, Gpu};
//!
//! let gpu = Gpu::headless()?; // or Gpu::from_glow, in a context of your own
//! let sums = gpu.scan(&[3u32, 1, 7, 0, 4, 1, 6, 3])?;
//! let kept = gpu.compact(&[3u32, 0, 7, 0, 4, 1, 6, 3], Condition::new(Comparison::Greater, 2u32))?;
//!
//! assert_eq!(sums, [3, 4, 11, 11, 15, 16, 22, 25]);
//! assert_eq!(kept, [3, 7, 4, 6, 3]);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "headless"))]
//! # fn main() {}
//! ```
//!
//! A scan that is prepared once, by an algorithm of one's choice, and runs often:
//!
//! ```
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), rasterscan::Error> {
//! use rasterscan::scan::texture::Packed;
//! use rasterscan::{Gpu, Algorithm, ScanSpec};
//!
//! let gpu = Gpu::headless()?;
//! let data = [3u32, 1, 7, 0, 4, 1, 6, 3];
//!
//! let spec = ScanSpec::new::<u32>(data.len()); // what: an inclusive sum of eight u32
//! let plan = Packed::default().plan(&spec, gpu.device())?; // which passes: plain data, no OpenGL
//! let mut scan = gpu.prepare(&plan)?; // programs compiled, textures allocated: once
//! let input = scan.upload(&data)?;
//! let sums: Vec<u32> = scan.run(&input)?.read()?; // run as often as you like
//!
//! assert_eq!(sums, [3, 4, 11, 11, 15, 16, 22, 25]);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "headless"))]
//! # fn main() {}
//! ```
//!
//! A compaction in such steps; it also counts what it keeps:
//!
//! ```
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), rasterscan::Error> {
//! use rasterscan::{Algorithm, CompactSpec, Compacted, Comparison, Condition, Gpu, compact};
//!
//! # let gpu = Gpu::headless()?;
//! let data = [3u32, 0, 7, 0, 4, 1, 6, 3];
//!
//! let spec = CompactSpec::new::<u32>(data.len()).keep(Condition::new(Comparison::Greater, 2u32));
//! let plan = compact::texture::PackedCompaction::default().plan(&spec, gpu.device())?;
//! let mut compaction = gpu.prepare(&plan)?;
//! let input = compaction.upload(&data)?;
//! let kept = Compacted::try_from(compaction.run([&input])?)?; // values and count, on the GPU
//!
//! assert_eq!(kept.read_values::<u32>()?, [3, 7, 4, 6, 3]);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "headless"))]
//! # fn main() {}
//! ```
//!
//! # Three verbs
//!
//! - *plan*: turns a spec ([`ScanSpec`], [`CompactSpec`]) into passes. Pure: a [`Plan`] is plain data, built without a
//!   GPU.
//! - *prepare*: [`Gpu::prepare`] compiles the plan's programs and allocates its textures and buffers, once.
//! - *run*: [`Prepared::run`] issues the passes. It allocates nothing, compiles nothing and reads nothing back.
//!   [`Prepared::run`] does the same for plans with several inputs or results, such as compactions.
//!
//! Because an algorithm is only a plan, the engine can time every one of them ([`Prepared::time`]) and trace it: a
//! trace holds every texture and buffer after every pass ([`Prepared::trace`]).
//!
//! # The scans
//!
//! <!-- cards: scan -->
//! | scan | type | passes over n items | uses of the operator |
//! | --- | --- | --- | --- |
//! | `sequential` | [`scan::sequential`], on the CPU: the reference | | n |
//! | `horn` | [`scan::texture::Horn`] | log2 n | n log2 n |
//! | `hybrid` | [`scan::texture::Hybrid`] | 2R + log2(n / 2^R), of which R reduce | 2n + (n / 2^R) log2(n / 2^R) |
//! | `blelloch` | [`scan::texture::Blelloch`] | 2 log2(n) - 8, from 2^16 on | 2n |
//! | `packed` | [`scan::texture::Packed`] | 2 log(n) / log(B) - 1, in blocks of B items | 6n at the default block |
//! | `harris` | [`scan::compute::Harris`] | 2 log(n) / log(B) - 1, in blocks of B items; 4n words | 3n; n log2 B if naive |
//! | `capannini` | [`scan::compute::Capannini`] | 2 log(n) / log(B) - 1, in blocks of B items; 4n words | 2n; n log2 B without a tree |
//! | `three_phase` | [`scan::compute::ThreePhase`] | 3, and those of the sums; 4n words | 5n or 6n |
//! | `reduce_then_scan` | [`scan::compute::ReduceThenScan`] | 3, and those of the sums; 3n words | 5n or 6n |
//! | `chained` | [`scan::compute::Chained`] | 2, of which one clears; 2n words | 4n or 5n |
//! | `look_back` | [`scan::compute::LookBack`] | 2, of which one clears; 2n words | 4n or 5n |
//! | `sam` | [`scan::compute::Sam`] | 2, of which one clears; 2n words at any order | 4n or 5n |
//!
//! <!-- end -->
//!
//! All of them run every scan that [`ScanSpec`] describes: u32, i32, f32, u64 and i64; add, mul, min, max, and, or, xor
//! and the non-commutative affine; inclusive and exclusive; orders and tuples up to 16; every length from 0 to the
//! capacity of the device's textures or buffers. Integers wrap. Floats are checked against a bound ([`scan::verify`]).
//!
//! Algorithms of the texture era read a stream from a texture, those of the compute era from a buffer:
//! [`Prepared::upload`] puts it where the plan needs it. In `chained`, `look_back`, `sam` and the compaction `select`,
//! work groups wait for each other for a bounded time. Then a group computes what is missing.
//!
//! # The compactions
//!
//! <!-- cards: compact -->
//! | compaction | type | passes over n items | what it does for each item |
//! | --- | --- | --- | --- |
//! | `sequential` | [`compact::sequential`], on the CPU: the reference | | one test |
//! | `horn` | [`compact::texture::HornCompaction`] | those of the scan, and 3 | a scan, and log2 n fetches to find it |
//! | `blocks` | [`compact::texture::Blocks`] | log2 n + 7 with the default scans | in blocks of s: log2 s adds, up to log2 s fetches to find it, and two moves |
//! | `geometry` | [`compact::texture::Geometry`] | 1, and log256 n that count | one vertex, one primitive |
//! | `bitonic` | [`compact::texture::Bitonic`] | k (k + 1) / 2 + 3, where k = log2 n | (k² + k) / 2 comparisons |
//! | `histopyramid` | [`compact::texture::Histopyramid`] | log4 n + 2 | one addition, and log4 n fetches if it is kept |
//! | `points` | [`compact::texture::Points`] | those of the packed scan, and 3 | a scan, and one vertex |
//! | `packed` | [`compact::texture::PackedCompaction`] | those of the packed scan of n / 128, and 5 or 6 | a bit, and about two fetches if it is kept |
//! | `scatter` | [`compact::compute::Scatter`] | those of the scan, and 2 | a scan, and one move |
//! | `select` | [`compact::compute::Select`] | 2, of which one clears | one read, and one move if it is kept |
//!
//! <!-- end -->
//!
//! All of them take the elements of the scans and a [`Condition`] or a mask, and return values, indices or both, in
//! order and bit for bit. Values, indices and count stay on the GPU in a [`Compacted`]; positions past the last kept
//! element are undefined.
//!
//! `geometry`, and `blocks` with [`Wrap::Geometry`](compact::texture::Wrap::Geometry), need geometry shaders. The
//! results of `geometry`, `scatter` and `select` are in buffers, all others in textures with as many columns as
//! [`CompactSpec::columns`] asks for.
//!
//! # The reductions
//!
//! <!-- cards: reduce -->
//! | reduction | type | passes over n items | uses of the operator |
//! | --- | --- | --- | --- |
//! | `sequential` | [`reduce::sequential`], on the CPU: the reference | | n |
//! | `pairs` | [`reduce::texture::Pairs`] | log2 n | n - 1 |
//! | `packed` | [`reduce::texture::PackedReduction`] | log(n) / log(4 B), in blocks of B texels | n |
//! | `two_pass` | [`reduce::compute::TwoPass`] | 2; n words | n |
//! | `single_pass` | [`reduce::compute::SinglePass`] | 1; n words | n |
//!
//! <!-- end -->
//!
//! They take the operators and elements of the scans, and return one item, or one for each member of a tuple
//! ([`ReduceSpec`]). Every run gives floats the same bits.
//!
//! # Compute shaders
//!
//! On a device without them, a plan that needs them is refused with the reason:
//!
//! ```
//! use rasterscan::scan::compute::{Exchange, Sam};
//! use rasterscan::{Device, Algorithm, ScanSpec};
//!
//! let spec = ScanSpec::new::<u32>(1 << 20).order(8); // sums of sums of sums ...
//! let sam = Sam { exchange: Exchange::Each, ..Sam::default() }; // as in the paper
//! let plan = sam.plan(&spec, &Device::gl43())?;
//! assert_eq!(plan.passes().len(), 2); // one that clears, one that scans
//! assert!(plan.cost().words_moved() < 21 * spec.len / 10); // 2n, and sums of chunks
//!
//! let refused = sam.plan(&spec, &Device::gl33()).unwrap_err();
//! assert!(refused.to_string().contains("needs compute shaders (OpenGL 4.3 or OpenGL ES 3.1)"));
//! # Ok::<(), rasterscan::Error>(())
//! ```
//!
//! # A reading order
//!
//! 1. [`spec`], [`element`], [`operator`]: what a caller can ask for.
//! 2. [`scan::texture`] and, in the sources, `horn.rs` with `glsl/scan/horn/step.frag`: one algorithm, whole.
//! 3. [`plan`]: what a plan holds, and how items lie in a texture ([`plan::Layout`]).
//! 4. [`compact::texture`] and, in the sources, its `horn.rs`: a scan as a part of another algorithm. Then `blocks.rs`,
//!    which draws lines from captured vertices.
//! 5. [`scan::compute`]: how sums get from tile to tile. Then, in the sources, `tile.rs`, `three_phase.rs` with its
//!    shaders, `look_back.rs` and `sam.rs`. Lanes are in `src/plan/lanes.rs`.
//! 6. The crate `rasterscan-kmodel`: the cost of bank conflicts in shared memory, counted on the CPU. Then
//!    `capannini.rs`.
//! 7. [`Gpu`], [`Prepared`], [`Stream`], [`Compacted`]: the engine, the only part that calls OpenGL.
//! 8. [`scan::reference`], [`compact::reference`] and [`reduce::reference`]: the references, and the bounds for floats.
//! 9. [`registry`]: all algorithms by name, for the program, the tests and the benches. [`proof`]: a scan that is right
//!    on intervals is right for every input.
//! 10. [`tuning`]: the values that were measured on a device; the crate `rasterscan-lab` measures them.
//! 11. [`trace`]: a run as plain data. Then the crates `rasterscan-lesson`, which narrates it, and `rasterscan-app`,
//!     which shows it.
//!
//! # Features
//!
//! - `headless`: contexts without a window (`Gpu::headless`). On Linux through EGL, by a device or a display; on Windows
//!   through WGL; on macOS through CGL; in a page through WebGL 2, on a canvas that is not shown.
//! - `recordings`: recorded runs as files.
//!
//! Without features, the default, the crate needs no window system and works in the caller's context
//! ([`Gpu::from_glow`]).
//!
//! The package's folder `examples/` has programs of a page each: a scan, a trace, a shared context, an algorithm from outside
//! the crate, a compaction, compute shaders, a sort, an image, particles, chunks, and an operator. They need `headless`.

#![deny(missing_docs, missing_debug_implementations, unsafe_code)]

pub mod algorithm;
pub mod auto;
pub mod clock;
pub mod compact;
pub mod conformance;
pub mod copy;
pub mod device;
pub mod element;
pub mod error;
mod gl;
mod hint;
pub mod job;
mod layout;
pub mod limits;
pub mod memory;
pub mod numbers;
mod one_call;
pub mod operator;
#[cfg(feature = "recordings")]
pub mod output;
pub mod plan;
pub mod printable;
pub mod problem;
pub mod proof;
pub mod random;
pub mod record;
pub mod reduce;
pub mod registry;
pub mod scan;
pub mod shared;
pub mod source;
pub mod spec;
pub mod task;
mod texels;
pub mod trace;
pub mod tuning;
pub mod unsupported;
mod word;

pub use one_call::Chunks;

pub use algorithm::{Algorithm, results};
pub use device::{Api, Clock, Device};
pub use element::{Element, ElementType};
pub use error::Error;
pub use gl::*;
pub use glow;
pub use job::Job;
pub use numbers::Numbers;
pub use operator::Operator;
pub use plan::Plan;
pub use printable::printable;
pub use problem::{Problem, Request, Spec};
pub use record::{record, record_job};
pub use reduce::ReduceSpec;
pub use spec::{
    Batch, CompactSpec, Comparison, Condition, Keep, Moves, Recurrence, ScanKind, ScanSpec, Segments,
    SpecError,
};
pub use task::Task;
pub use tuning::Tuning;
pub use unsupported::Unsupported;

/// The code of the page about building on the library compiles.
#[cfg(all(doctest, feature = "headless"))]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
