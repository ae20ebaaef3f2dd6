//! The sorts: keys in ascending or descending order, with their indices or a payload.
//!
//! Each algorithm is one file that builds its passes and a folder of shaders under `glsl/sort/`.
//!
//! ```
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), rasterscan::Error> {
//! use rasterscan::sort::texture::Radix;
//! use rasterscan::{Algorithm, Gpu, Moves, SortSpec};
//!
//! let gpu = Gpu::headless()?;
//! let depths = [0.5f32, -0.0, 7.25, 0.0];
//! let spec = SortSpec::new::<f32>(depths.len()).descending().moves(Moves::Both);
//! let mut sort = gpu.prepare(&Radix::default().plan(&spec, gpu.device())?)?;
//! let input = sort.upload(&depths)?;
//! let sorted = sort.run([&input])?; // values and indices stay on the GPU until they are read
//! assert_eq!(sorted["values"].read::<f32>()?, [7.25, 0.5, 0.0, -0.0]);
//! assert_eq!(sorted["indices"].read::<u32>()?, [2, 0, 3, 1]);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "headless"))]
//! # fn main() {}
//! ```
//!
//! # The sorts
//!
//! <!-- cards: sort -->
//! | sort | type | passes over n items | what it does for each item |
//! | --- | --- | --- | --- |
//! | `sequential` | [`sequential`], on the CPU: the reference | | n log n comparisons |
//! | `bitonic` | [`texture::Bitonic`] | (k - 1) (k - 2) / 2 + 2, where k = log2 n | (k² + k) / 4 comparisons |
//! | `split` | [`texture::Split`] | for each bit: 2, and those of the scan | for each bit: a scan, and log2 n fetches to find a key |
//! | `radix` | [`texture::Radix`] | for each 4 bits: 6, and those of the scan of n / 8 counts | for each 4 bits: masks of n bits for each digit, a scan, and about 4 fetches to find a key |
//! | `three_pass` | [`compute::ThreePass`] | for each digit, of 8 bits or with serial lanes 4: 2, and those of the scan of n / 12 counts; 3n words | for each digit: 2 counts and a vote for each bit |
//! | `onesweep` | [`compute::Onesweep`] | 3, of which one clears, and one for each digit, of 8 bits or with serial lanes 4; 2n words | for each digit: 2 counts and a vote for each bit |
//!
//! <!-- end -->
//!
//! All are stable and exact. They sort every element by its value, floats in IEEE 754's total order; [`SortSpec`] has the
//! options. An algorithm itself sorts u32 by a range of bits ([`SortSpec::is_plain`]); passes around it do the rest.
//!
//! The proofs by intervals do not apply to sorts. In their place, a network is tested by the 0-1 principle, and a sort by digits
//! with every pair of digits of four bits at every pair of positions of 256 keys (`tests/gl/sorts.rs`).

pub mod compute;
mod option_passes;
mod partition;
mod problem;
pub mod reference;
mod spec;
pub mod texture;

pub use partition::partition;
pub(crate) use partition::{partition_by, sort_of_classes};
pub use problem::PROBLEM;
use reference::sequential_with;
pub use reference::{sequential, verify};
pub use spec::SortSpec;

use crate::algorithm::{Built, Card, Era, Need, Variants, cards};
use crate::plan::{Library, glsl_files};

/// The files that the shaders of sorts share.
pub static SHADER_FILES: Library = Library::new(
    glsl_files![
        "sort/common/digits.glsl",
        "sort/common/move.glsl",
        "sort/common/move_tile.glsl",
        "sort/common/tile.glsl",
        "sort/onesweep/states.glsl",
        "sort/radix/find.glsl",
        "sort/radix/search.glsl",
    ],
    &[&crate::compact::SHADER_FILES],
);

/// A shader of sorts, as in [`crate::plan`].
macro_rules! shader {
    ($($file:literal),* $(,)?) => { $crate::plan::shader!(in $crate::sort::SHADER_FILES, $($file),*) };
}
pub(crate) use shader;

/// The sorts, in the order in which `list` and `demo` show them.
pub static CARDS: &[&Card] = cards!(
    [
        SEQUENTIAL,
        texture::bitonic::CARD,
        texture::split::CARD,
        texture::radix::CARD,
    ],
    compute [
        compute::three_pass::CARD,
        compute::onesweep::CARD,
    ]
);

/// The card of the reference.
static SEQUENTIAL: Card = Card {
    name: "sequential",
    problem: &crate::sort::PROBLEM,
    era: Era::Cpu,
    needs: Need::Nothing,
    summary: "the standard library's sort of ranks and indices, on the CPU: the reference",
    sources: &[],
    passes: "",
    work: "n log n comparisons",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| Vec::new(),
    build: |_| Built::Sequential,
};
