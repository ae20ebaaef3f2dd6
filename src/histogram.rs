//! Histograms: how many items of a stream lie between each two edges that follow each other.
//!
//! Each algorithm is one file that builds its passes and a folder of shaders under `glsl/histogram/`.
//!
//! ```
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), rasterscan::Error> {
//! use rasterscan::histogram::texture::Sorted;
//! use rasterscan::{Algorithm, Gpu, HistogramSpec};
//!
//! let gpu = Gpu::headless()?;
//! let spec = HistogramSpec::new::<f32>(6, 2);
//! let mut histogram = gpu.prepare(&Sorted.plan(&spec, gpu.device())?)?;
//! let data = histogram.upload(&[0.5f32, -0.0, 1.0, 7.0, f32::NAN, 0.25])?;
//! let edges = histogram.upload_input(1, &[0.0f32, 0.5, 2.0])?;
//! assert_eq!(histogram.run([&data, &edges])?.first().read::<u32>()?, [2, 2]);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "headless"))]
//! # fn main() {}
//! ```
//!
//! # The histograms
//!
//! <!-- cards: histogram -->
//! | histogram | type | passes over n items | what it does for each item |
//! | --- | --- | --- | --- |
//! | `sequential` | [`sequential`], on the CPU: the reference | | log2 bins comparisons |
//! | `sorted` | [`texture::Sorted`] | 2, and those of a sort by log2 bins bits | log2 bins comparisons, and a sort by log2 bins bits |
//! | `atomic` | [`compute::Atomic`] | 2; n words | log2 bins comparisons, and an atomic addition |
//!
//! <!-- end -->
//!
//! Only comparisons of integers decide where an item belongs, also of floats: so the counts are exact on every device.

pub mod compute;
mod problem;
pub mod reference;
mod spec;
pub mod texture;

pub use crate::algorithm::edges::even_edges;
pub use problem::PROBLEM;
pub use reference::sequential;
pub use spec::HistogramSpec;

use crate::algorithm::{Built, Card, Era, Need, Variants, cards};
use crate::plan::{Library, glsl_files};
use crate::scan::ceil_log2;

/// The files that the shaders of histograms share.
pub static SHADER_FILES: Library =
    Library::new(glsl_files!["histogram/common/bins.glsl"], &[&crate::sort::SHADER_FILES]);

/// A shader of histograms, as in [`crate::plan`].
macro_rules! shader {
    ($($file:literal),* $(,)?) => { $crate::plan::shader!(in $crate::histogram::SHADER_FILES, $($file),*) };
}
pub(crate) use shader;

/// The histograms, in the order in which `list` shows them.
pub static CARDS: &[&Card] = cards!([SEQUENTIAL, texture::sorted::CARD], compute[compute::atomic::CARD]);

/// The card of the reference.
static SEQUENTIAL: Card = Card {
    name: "sequential",
    problem: &crate::histogram::PROBLEM,
    era: Era::Cpu,
    needs: Need::Nothing,
    summary: "one item after the other, on the CPU: the reference",
    sources: &[],
    passes: "",
    work: "log2 bins comparisons",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| Vec::new(),
    build: |_| Built::Sequential,
};

/// Steps of the bisection that finds an item's bin.
fn turns(spec: &HistogramSpec) -> u64 {
    ceil_log2(spec.bins + 2).into()
}
