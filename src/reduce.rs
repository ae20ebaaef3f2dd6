//! The reductions: a stream becomes one value, or one for each member of its tuples.
//!
//! Each algorithm is one file that builds its passes and a folder of shaders under `glsl/reduce/`.
//!
//! ```
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), rasterscan::Error> {
//! use rasterscan::reduce::texture::PackedReduction;
//! use rasterscan::{Algorithm, Gpu, Operator, ReduceSpec};
//!
//! let gpu = Gpu::headless()?;
//! let data = [3i32, 1, -7, 0, 4, 1, 6, 3];
//! let spec = ReduceSpec::new::<i32>(data.len()).operator(Operator::MIN);
//! let mut least = gpu.prepare(&PackedReduction::default().plan(&spec, gpu.device())?)?;
//! let input = least.upload(&data)?;
//! assert_eq!(least.run(&input)?.read::<i32>()?, [-7]); // the value stays on the GPU until it is read
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "headless"))]
//! # fn main() {}
//! ```
//!
//! # The reductions
//!
//! <!-- cards: reduce -->
//! | reduction | type | passes over n items | uses of the operator |
//! | --- | --- | --- | --- |
//! | `sequential` | [`sequential`], on the CPU: the reference | | n |
//! | `pairs` | [`texture::Pairs`] | log2 n | n - 1 |
//! | `packed` | [`texture::PackedReduction`] | log(n) / log(4 B), in blocks of B texels | n |
//! | `two_pass` | [`compute::TwoPass`] | 2; n words | n |
//! | `single_pass` | [`compute::SinglePass`] | 1; n words | n |
//!
//! <!-- end -->
//!
//! They take the operators and elements of the scans, and return one item, or one for each member of a tuple
//! ([`ReduceSpec`]). Every run gives floats the same bits.

pub mod compute;
mod first;
mod option_passes;
mod parts;
mod problem;
pub mod reference;
mod runs;
mod spec;
pub mod texture;

pub use problem::PROBLEM;
pub use reference::{sequential, sequential_with, verify, verify_with};
pub use runs::{Runs, runs};
pub use spec::ReduceSpec;

use crate::algorithm::{Built, Card, Era, Need, Variants, cards};
use crate::plan::{Layout, Library, Storage, glsl_files};

/// The files that the shaders of reductions share.
pub static SHADER_FILES: Library =
    Library::new(glsl_files!["reduce/segments/heads.glsl"], &[&crate::scan::SHADER_FILES]);

/// A shader of reductions, as in [`crate::plan`].
macro_rules! shader {
    ($($file:literal),* $(,)?) => { $crate::plan::shader!(in $crate::reduce::SHADER_FILES, $($file),*) };
}
pub(crate) use shader;

/// The reductions, in the order in which `list` shows them.
pub static CARDS: &[&Card] = cards!(
    [
        SEQUENTIAL,
        texture::pairs::CARD,
        texture::packed::CARD,
    ],
    compute [
        compute::two_pass::CARD,
        compute::single_pass::CARD,
    ]
);

/// The card of the reference.
static SEQUENTIAL: Card = Card {
    name: "sequential",
    problem: &crate::reduce::PROBLEM,
    era: Era::Cpu,
    needs: Need::Nothing,
    summary: "one element after the other, on the CPU: the reference",
    sources: &["harris2007"],
    passes: "",
    work: "n",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| Vec::new(),
    build: |_| Built::Sequential,
};

/// The layout of the result: as the stream's, but for a single tuple.
fn left(of: Layout, spec: &ReduceSpec) -> Layout {
    match of.storage {
        Storage::Texture => of.with_len(spec.results()),
        Storage::Buffer => Layout::buffer(of.element, of.arity, spec.results()),
    }
}
