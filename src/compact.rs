//! The compactions: what is kept of a stream moves to its front. Each algorithm is one file that builds a
//! [`crate::Plan`] and a folder of shaders under `glsl/compact/`; the registry ([`crate::registry`]) lists them.
//!
//! ```
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), rasterscan::Error> {
//! use rasterscan::compact::texture::Packed;
//! use rasterscan::{Algorithm, CompactSpec, Compacted, Comparison, Condition, Gpu};
//!
//! let gpu = Gpu::headless()?;
//! let data = [3u32, 0, 7, 0, 4, 1, 6, 3];
//! let spec = CompactSpec::new::<u32>(data.len()).keep(Condition::new(Comparison::Greater, 2u32));
//! let mut compaction = gpu.prepare(&Packed::default().plan(&spec, gpu.device())?)?;
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
mod condition;
mod problem;
pub mod reference;
mod spec;
pub mod texture;

pub use condition::{Comparison, Condition};
pub use problem::PROBLEM;
pub use reference::{Kept, sequential, verify};
pub use spec::{CompactSpec, Keep, Moves};

use crate::algorithm::{Built, Card, Era, Need, Variants};

/// The compactions, in the order in which `list` and `demo` show them.
pub static CARDS: &[&Card] = &[
    &SEQUENTIAL,
    &texture::horn::CARD,
    &texture::blocks::CARD,
    &texture::geometry::CARD,
    &texture::bitonic::CARD,
    &texture::histopyramid::CARD,
    &texture::points::CARD,
    &texture::packed::CARD,
    &compute::scatter::CARD,
    &compute::select::CARD,
];

/// The oracle.
static SEQUENTIAL: Card = Card {
    name: "sequential",
    problem: &crate::compact::PROBLEM,
    era: Era::Cpu,
    needs: Need::Nothing,
    summary: "one element after the other, on the CPU: the oracle",
    sources: &["roger2007"],
    passes: "",
    work: "one test",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| Vec::new(),
    build: |_| Built::Sequential,
};
