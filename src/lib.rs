//! Prefix sums (scans) the way GPUs did them with textures and framebuffers, each result verified.
//!
//! Result `i` of a scan combines the items `0..=i`. The loop looks serial and is not: this crate does it in
//! parallel with nothing newer than OpenGL 3.3 or OpenGL ES 3.0, by drawing. No compute shaders are needed.
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
//! # Three verbs
//!
//! - *plan*: turns a request ([`ScanSpec`]) into passes. Pure: a [`Plan`] is plain data, made without a GPU.
//! - *prepare*: [`Gpu::prepare`] compiles the plan's programs and allocates its textures, once.
//! - *run*: [`Prepared::run`] issues the passes. It allocates nothing, compiles nothing and reads nothing back.
//!
//! Because an algorithm is only a plan, the engine gives every one of them timing ([`Prepared::time`]) and
//! traces, which hold every texture after every pass ([`Prepared::trace`]).
//!
//! # The algorithms
//!
//! | name | type | passes over n items | uses of the operator |
//! | --- | --- | --- | --- |
//! | `sequential` | [`reference::scan`], on the CPU: the oracle | | n |
//! | `horn` | [`Horn`](scan::texture::Horn) | log2 n | n log2 n |
//! | `hybrid` | [`Hybrid`](scan::texture::Hybrid), R reduce passes | 2R + log2(n / 2^R) | 2n + (n / 2^R) log2(n / 2^R) |
//! | `blelloch` | [`Hybrid::BLELLOCH`](scan::texture::Hybrid::BLELLOCH) | 2 log2(n) - 8, from 2^16 on | 2n |
//! | `packed` | [`Packed`](scan::texture::Packed), B items a block | 2 log(n) / log(B) - 1 | 6n at the default block |
//!
//! All of them do every scan that [`ScanSpec`] can ask for: u32, i32, f32, u64 and i64; add, mul, min, max, and, or,
//! xor and the non-commutative affine; inclusive and exclusive; orders and tuples up to 16; every length from 0 to
//! what the device's textures hold. Integers wrap. Floats are held against a bound ([`mod@reference`]).
//!
//! # A reading order
//!
//! 1. [`spec`], [`element`], [`operator`]: what a caller may ask for.
//! 2. [`scan::texture`] and, in the sources, `horn.rs` with `glsl/scan/horn/step.frag`: one algorithm, whole.
//! 3. [`plan`]: what it records, and how items lie in a texture ([`plan::Layout`]).
//! 4. [`Gpu`], [`Prepared`], [`Stream`]: the engine, the only part that calls OpenGL.
//! 5. [`mod@reference`]: the oracle and its bounds for floats.
//! 6. [`registry`]: all algorithms by name, as the program, the tests and the benches see them.
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
