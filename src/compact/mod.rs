//! The compactions: what is kept of a stream moves to its front. Each algorithm is one file that records a
//! [`Plan`] and a folder of shaders under `glsl/compact/`; the registry ([`crate::registry`]) lists them.
//!
//! ```
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), rasterscan::Error> {
//! use rasterscan::compact::texture::Packed;
//! use rasterscan::{CompactAlgorithm, CompactSpec, Compacted, Comparison, Condition, Gpu};
//!
//! let gpu = Gpu::headless()?;
//! let data = [3u32, 0, 7, 0, 4, 1, 6, 3];
//! let spec = CompactSpec::new::<u32>(data.len()).keep(Condition::new(Comparison::Greater, 2u32));
//! let mut compaction = gpu.prepare(&Packed.plan(&spec, gpu.device())?)?;
//! let input = compaction.upload(&data)?;
//! let kept = Compacted::from(compaction.run_with(&[&input])?);
//!
//! // Values and count are on the GPU, for the next pass. Reading them is your choice.
//! assert_eq!(kept.read_values::<u32>()?, [3, 7, 4, 6, 3]);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "headless"))]
//! # fn main() {}
//! ```

pub mod compute;
pub mod texture;

use crate::device::Device;
use crate::error::Error;
use crate::plan::Plan;
use crate::spec::CompactSpec;

/// An algorithm that turns a request into a plan.
///
/// The plan's inputs are the stream and, if [`crate::Keep::Mask`] asks for it, the mask. Its results are
/// called `values`, `indices` and `count`, as far as the request moves them; `count` always is there.
///
/// How the streams lie is the algorithm's to choose, one element a texel or several, or in a buffer: each has
/// its [`crate::plan::Layout`]. [`CompactSpec::columns`](crate::CompactSpec#structfield.columns) makes one
/// plan's result fit another's input.
pub trait CompactAlgorithm {
    /// Records the passes for `spec` on `device`. Pure: it touches no GL.
    ///
    /// Errors where the request makes no sense ([`Error::Spec`]) or where the device or the
    /// algorithm cannot do it ([`Error::Unsupported`]).
    fn plan(&self, spec: &CompactSpec, device: &Device) -> Result<Plan, Error>;
}
