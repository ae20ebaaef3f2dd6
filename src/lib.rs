//! Prefix sums (scans), stream compaction, reductions and sorts on the GPU: with textures and framebuffers, as before compute
//! shaders, on OpenGL 3.3 and OpenGL ES 3.0; and with compute shaders, where there are any.
//!
//! One call for one result, by the best algorithm for the device:
//!
//! ```
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), rasterscan::Error> {
//! use rasterscan::prelude::*;
//!
//! let gpu = Gpu::headless()?; // or Gpu::from_glow, in a context of your own
//! let sums = gpu.scan(&[3u32, 1, 7, 0, 4, 1, 6, 3])?;
//! let kept = gpu.compact(&[3u32, 0, 7, 0, 4, 1, 6, 3], Condition::new(Comparison::Greater, 2u32))?;
//! let sorted = gpu.sort(&[0.5f32, -1.0, 0.25])?;
//!
//! assert_eq!(sums, [3, 4, 11, 11, 15, 16, 22, 25]);
//! assert_eq!(kept, [3, 7, 4, 6, 3]);
//! assert_eq!(sorted, [-1.0, 0.25, 0.5]);
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
//! A *spec* says what to compute. A *plan* is data: the passes of an algorithm for a spec and a device. [`Gpu::prepare`]
//! compiles and allocates, [`Prepared::run`] only draws. [`Prepared::time`] and [`Prepared::trace`] work for all plans.
//! The algorithms are in [`scan`], [`compact`], [`reduce`] and [`sort`]; [`guide`](guide/index.html) has the rest: memory and contexts of yours, plans
//! made of plans, GLSL and operators of your own. With the feature `headless` come contexts without a
//! window, on Linux, Windows, macOS and in a page; with `recordings`, recorded runs as files.

#![deny(missing_docs, missing_debug_implementations, unsafe_code)]
#![cfg_attr(
    not(feature = "compute"),
    allow(dead_code, reason = "`cards!` leaves out the algorithms of compute shaders")
)]

pub mod algorithm;
mod auto;
mod clock;
pub mod compact;
mod conformance;
mod copy;
pub mod device;
pub mod element;
pub mod error;
pub mod gl;
mod hint;
pub mod histogram;
mod job;
mod layout;
mod limits;
mod memory;
mod named;
mod numbers;
mod one_call;
pub mod operator;
#[cfg(feature = "recordings")]
mod output;
pub mod plan;
pub mod prelude;
mod printable;
mod problem;
mod proof;
mod random;
mod recipe;
mod record;
pub mod reduce;
mod registry;
pub mod scan;
mod shared;
pub mod sort;
mod source;
mod task;
mod texels;
pub mod tools;
pub mod trace;
pub mod tuning;
mod unsupported;
mod word;

#[doc(inline)]
pub use algorithm::Algorithm;
#[doc(inline)]
pub use compact::{CompactSpec, Comparison, Condition, Keep, Moves};
#[doc(inline)]
pub use device::{Api, Device};
#[doc(inline)]
pub use element::{Element, ElementType};
#[doc(inline)]
pub use error::{Error, SpecError, Unsupported};
#[doc(inline)]
pub use gl::{Compacted, Gpu, Outputs, Pending, Prepared, Preparing, Stream, Streams, Timing};
#[cfg(feature = "headless")]
#[doc(inline)]
pub use gl::{HeadlessOptions, Level};
pub use glow;
#[doc(inline)]
pub use histogram::HistogramSpec;
pub use one_call::Chunks;
#[doc(inline)]
pub use operator::Operator;
#[doc(inline)]
pub use plan::Plan;
#[doc(inline)]
pub use reduce::ReduceSpec;
#[doc(inline)]
pub use scan::{Batch, Recurrence, ScanKind, ScanSpec, Segments};
#[doc(inline)]
pub use sort::SortSpec;

#[cfg(all(any(doc, doctest), feature = "headless"))]
#[doc = include_str!("../docs/library.md")]
pub mod guide {}
