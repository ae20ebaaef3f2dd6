//! Prefix sums (scans) and stream compaction the way GPUs did them with textures and framebuffers, each result
//! verified.
//!
//! Result `i` of a scan combines the items `0..=i`. A compaction moves the items that are wanted to the front, in
//! their order. Both loops look serial and are not: this crate does them in parallel with nothing newer than OpenGL
//! 3.3 or OpenGL ES 3.0, by drawing. No compute shaders are needed.
//!
//! A scan:
//!
//! ```
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), rasterscan::Error> {
//! use rasterscan::scan::texture::Packed;
//! use rasterscan::{Gpu, ScanAlgorithm, ScanSpec};
//!
//! let gpu = Gpu::headless()?; // or Gpu::from_glow, in a context of your own
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
//! A compaction, which gives how many it has kept as well:
//!
//! ```
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), rasterscan::Error> {
//! use rasterscan::{CompactAlgorithm, CompactSpec, Compacted, Comparison, Condition, Gpu, compact};
//!
//! # let gpu = Gpu::headless()?;
//! let data = [3u32, 0, 7, 0, 4, 1, 6, 3];
//!
//! let spec = CompactSpec::new::<u32>(data.len()).keep(Condition::new(Comparison::Greater, 2u32));
//! let plan = compact::texture::Packed.plan(&spec, gpu.device())?;
//! let mut compaction = gpu.prepare(&plan)?;
//! let input = compaction.upload(&data)?;
//! let kept = Compacted::from(compaction.run_with(&[&input])?); // values and count, on the GPU
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
//! - *plan*: turns a request ([`ScanSpec`], [`CompactSpec`]) into passes. Pure: a [`Plan`] is plain data, made without
//!   a GPU.
//! - *prepare*: [`Gpu::prepare`] compiles the plan's programs and allocates its textures and buffers, once.
//! - *run*: [`Prepared::run`] issues the passes. It allocates nothing, compiles nothing and reads nothing back.
//!   [`Prepared::run_with`] is the same for plans of several inputs or results, as compactions are.
//!
//! Because an algorithm is only a plan, the engine gives every one of them timing ([`Prepared::time`]) and
//! traces, which hold every texture and buffer after every pass ([`Prepared::trace`]).
//!
//! # The scans
//!
//! | scan | type | passes over n items | uses of the operator |
//! | --- | --- | --- | --- |
//! | `sequential` | [`reference::scan`], on the CPU: the oracle | | n |
//! | `horn` | [`scan::texture::Horn`] | log2 n | n log2 n |
//! | `hybrid` | [`scan::texture::Hybrid`], R reduce passes | 2R + log2(n / 2^R) | 2n + (n / 2^R) log2(n / 2^R) |
//! | `blelloch` | [`Hybrid::BLELLOCH`](scan::texture::Hybrid::BLELLOCH) | 2 log2(n) - 8, from 2^16 on | 2n |
//! | `packed` | [`scan::texture::Packed`], B items a block | 2 log(n) / log(B) - 1 | 6n at the default block |
//!
//! All of them do every scan that [`ScanSpec`] can ask for: u32, i32, f32, u64 and i64; add, mul, min, max, and, or,
//! xor and the non-commutative affine; inclusive and exclusive; orders and tuples up to 16; every length from 0 to
//! what the device's textures hold. Integers wrap. Floats are held against a bound ([`mod@reference`]).
//!
//! # The compactions
//!
//! | compaction | type | passes over n elements | what it does for each element |
//! | --- | --- | --- | --- |
//! | `sequential` | [`reference::compact()`], on the CPU: the oracle | | one test |
//! | `horn` | [`compact::texture::Horn`], by any scan | those of the scan, and 3 | a scan, and log2 n fetches to find it |
//! | `blocks` | [`compact::texture::Blocks`], of s elements | log2 n + 7 with the default scans | log2 s adds, up to log2 s fetches to find it, and two moves |
//! | `geometry` | [`compact::texture::Geometry`] | 1, and log256 n that count | one vertex, one primitive |
//! | `bitonic` | [`compact::texture::Bitonic`] | k (k + 1) / 2 + 3, where k = log2 n | (k² + k) / 2 comparisons |
//! | `histopyramid` | [`compact::texture::Histopyramid`] | log4 n + 2 | one addition, and log4 n fetches if it is kept |
//! | `points` | [`compact::texture::Points`] | those of the packed scan, and 3 | a scan, and one vertex |
//! | `packed` | [`compact::texture::Packed`] | those of the packed scan of n / 128, and 5 | a bit, and about two fetches if it is kept |
//!
//! All of them take the elements of the scans, a [`Condition`] or a mask, and give values, indices or both, whatever is
//! kept: everything, nothing, or all of no elements. Order is kept, and values move to the bit. Values, indices and count
//! stay on the GPU in a [`Compacted`]; what stands behind the last one kept is undefined.
//!
//! `geometry`, and `blocks` with [`Wrap::Geometry`](compact::texture::Wrap::Geometry), need geometry shaders. The results
//! of `geometry` are in buffers; those of all others are in textures, of as many columns as [`CompactSpec::columns`] asks
//! for.
//!
//! # A reading order
//!
//! 1. [`spec`], [`element`], [`operator`]: what a caller may ask for.
//! 2. [`scan::texture`] and, in the sources, `horn.rs` with `glsl/scan/horn/step.frag`: one algorithm, whole.
//! 3. [`plan`]: what it records, and how items lie in a texture ([`plan::Layout`]).
//! 4. [`compact::texture`] and, in the sources, its `horn.rs`: a scan as a part of another algorithm. Then `blocks.rs`, which
//!    draws lines from captured vertices.
//! 5. [`Gpu`], [`Prepared`], [`Stream`], [`Compacted`]: the engine, the only part that calls OpenGL.
//! 6. [`mod@reference`]: the oracles, and the bounds for floats.
//! 7. [`registry`]: all algorithms by name, as the program, the tests and the benches see them.
//!
//! # Features
//!
//! - `headless`: contexts without a window, through EGL devices (`Gpu::headless`). Linux and other systems with EGL.
//! - `cli` (default): the program `rasterscan`; turns `headless` on.
//!
//! With neither, the crate needs no window system and works in the caller's context: [`Gpu::from_glow`].

#![deny(unsafe_code)]

pub mod compact;
pub mod device;
pub mod element;
pub mod error;
mod gl;
pub mod kmodel;
pub mod measure;
pub mod operator;
pub mod plan;
pub mod reference;
pub mod registry;
pub mod scan;
pub mod spec;
pub mod trace;

pub use compact::CompactAlgorithm;
pub use device::{Api, Device};
pub use element::{Element, ElementType};
pub use error::{Error, Unsupported};
pub use gl::*;
pub use operator::Operator;
pub use plan::Plan;
pub use scan::ScanAlgorithm;
pub use spec::{CompactSpec, Comparison, Condition, Keep, Moves, Request, ScanKind, ScanSpec, SpecError};
