//! The sorts: keys in ascending or descending order, with their indices or a payload.
//!
//! Each algorithm is one file that builds its passes and a folder of shaders under `glsl/sort/`.

pub mod compute;
mod histogram;
mod option_passes;
mod partition;
mod problem;
pub mod reference;
mod spec;
pub mod texture;

pub use histogram::histogram;
pub(crate) use histogram::{histogram_by, sort_of_bins};
pub use partition::partition;
pub(crate) use partition::{partition_by, sort_of_classes};
pub use problem::PROBLEM;
use reference::sequential_with;
pub use reference::{sequential, verify};
pub use spec::SortSpec;

use crate::algorithm::{Built, Card, Era, Need, Variants};
use crate::plan::{Library, glsl_files};

/// The files that the shaders of sorts share.
pub static SHADER_FILES: Library = Library::new(
    glsl_files![
        "sort/common/digits.glsl",
        "sort/common/move.glsl",
        "sort/common/move_tile.glsl",
        "sort/common/tile.glsl",
        "sort/onesweep/states.glsl",
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
pub static CARDS: &[&Card] = &[
    &SEQUENTIAL,
    &texture::bitonic::CARD,
    &texture::split::CARD,
    &texture::radix::CARD,
    &compute::three_pass::CARD,
    &compute::onesweep::CARD,
];

/// The card of the reference.
static SEQUENTIAL: Card = Card {
    name: "sequential",
    problem: &crate::sort::PROBLEM,
    era: Era::Cpu,
    needs: Need::Nothing,
    summary: "the standard library's stable sort, on the CPU: the reference",
    sources: &[],
    passes: "",
    work: "n log n comparisons",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| Vec::new(),
    build: |_| Built::Sequential,
};
