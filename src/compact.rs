//! The compactions: the kept elements of a stream move to its front.
//!
//! Each algorithm is one file that builds its passes and a folder of shaders under `glsl/compact/`.
//!
//! ```
//! # #[cfg(feature = "headless")]
//! # fn main() -> Result<(), rasterscan::Error> {
//! use rasterscan::compact::texture::PackedCompaction;
//! use rasterscan::{Algorithm, CompactSpec, Compacted, Comparison, Condition, Gpu};
//!
//! let gpu = Gpu::headless()?;
//! let data = [3u32, 0, 7, 0, 4, 1, 6, 3];
//! let spec = CompactSpec::new::<u32>(data.len()).keep(Condition::new(Comparison::Greater, 2u32));
//! let mut compaction = gpu.prepare(&PackedCompaction::default().plan(&spec, gpu.device())?)?;
//! let input = compaction.upload(&data)?;
//! let kept = Compacted::try_from(compaction.run([&input])?)?;
//!
//! // Values and count are on the GPU, for the next pass. Reading them is your choice.
//! assert_eq!(kept.read_values::<u32>()?, [3, 7, 4, 6, 3]);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "headless"))]
//! # fn main() {}
//! ```
//!
//! # The compactions
//!
//! <!-- cards: compact -->
//! | compaction | type | passes over n items | what it does for each item |
//! | --- | --- | --- | --- |
//! | `sequential` | [`sequential`], on the CPU: the reference | | one test |
//! | `horn` | [`texture::HornCompaction`] | those of the scan, and 3 | a scan, and log2 n fetches to find it |
//! | `blocks` | [`texture::Blocks`] | log2 n + 7 with the default scans | in blocks of s: log2 s adds, up to log2 s fetches to find it, and two moves |
//! | `geometry` | [`texture::Geometry`] | 1, and log256 n that count | one vertex, one primitive |
//! | `bitonic` | [`texture::Bitonic`] | k (k + 1) / 2 + 3, where k = log2 n | (k² + k) / 2 comparisons |
//! | `histopyramid` | [`texture::Histopyramid`] | log4 n + 2 | one addition, and log4 n fetches if it is kept |
//! | `points` | [`texture::Points`] | those of the packed scan, and 3 | a scan, and one vertex |
//! | `packed` | [`texture::PackedCompaction`] | those of the packed scan of n / 128, and 5 or 6 | a bit, and about two fetches if it is kept |
//! | `scatter` | [`compute::Scatter`] | those of the scan, and 2 | a scan, and one move |
//! | `select` | [`compute::Select`] | 2, of which one clears | one read, and one move if it is kept |
//!
//! <!-- end -->
//!
//! All of them take the elements of the scans and a [`Condition`] or a mask, and return values, indices or both, in
//! order and bit for bit. Values, indices and count stay on the GPU in a [`Compacted`](crate::Compacted); positions past
//! the last kept element are undefined.
//!
//! `geometry`, and `blocks` with [`Wrap::Geometry`](texture::Wrap::Geometry), need geometry shaders. The results of
//! `geometry`, `scatter` and `select` are in buffers, all others in textures with as many columns as
//! [`CompactSpec::columns`] asks for.
//!
//! # Growth
//!
//! From 2^20 to 2^24 elements, `horn` goes from 85.0 to 101.0 words moved per element, and `blocks` from 38.0 to 38.2:
//! n log n against n + n log s, as roger2007 says.
//!
//! # The count stays on the GPU
//!
//! Only the GPU knows how many elements are kept, and a readback would make the CPU wait. So the count is a result like
//! the others: a stream of one u32. A run never reads it back; `Compacted::read_count` does.
//!
//! A later pass can use it where it is, in three ways:
//!
//! - A fragment compares its position with the count, and discards itself: `glsl/compact/histopyramid/traverse.frag`.
//! - The vertex stage reads the count and places its vertices by it: `glsl/compact/common/kept_rows.vert` makes a
//!   rectangle of as many rows as will be filled, so that no fragment runs for the rest, and passes the count on to the
//!   fragments.
//! - The caller's plan takes it as an input, `Plan::further_input`, and reads it like any other texture.
//!
//! OpenGL 3.3 gives the number of captured vertices to the CPU alone, so `geometry` counts again, with fragments, what
//! its capture keeps.
//!
//! # Past the end
//!
//! The results are as long as the input, and only their first `count` elements are defined. The others are *undefined*:
//! a discarded fragment leaves the previous content of the texture, which can be from the last run or from another slot
//! that shared the storage. A scan can take such a stream as it is, and its first sums are right
//! (`examples/05_compaction.rs`). A compaction of such a stream gives the right elements first, but also keeps and
//! counts some undefined ones: it needs a mask that ends where the count says.
//!
//! The last texel or block of the input can reach past its end. There `kept_at` in `glsl/compact/common/keep.glsl`
//! returns that nothing is kept, whatever the padding holds.

mod append;
pub mod compute;
mod condition;
mod partition;
mod problem;
pub mod reference;
mod spec;
pub mod texture;

pub use append::append;
pub use condition::{Comparison, Condition};
pub use partition::partition;
pub use problem::PROBLEM;
pub use reference::{Kept, keeps, sequential, verify};
pub use spec::{CompactSpec, Keep, Moves};

use crate::algorithm::{Built, Card, Era, Need, Variants, cards};
use crate::plan::{Library, glsl_files};

/// The files that the shaders of compactions share.
pub static SHADER_FILES: Library = Library::new(
    glsl_files![
        "compact/common/bits.glsl",
        "compact/common/buffers.glsl",
        "compact/common/condition.glsl",
        "compact/common/keep.glsl",
        "compact/common/move.glsl",
        "compact/common/sums.glsl",
        "compact/common/values.glsl",
    ],
    &[&crate::scan::SHADER_FILES],
);

/// A shader of compactions, as in [`crate::plan`].
macro_rules! shader {
    ($($file:literal),* $(,)?) => { $crate::plan::shader!(in $crate::compact::SHADER_FILES, $($file),*) };
}
pub(crate) use shader;

/// The compactions, in the order in which `list` and `demo` show them.
pub static CARDS: &[&Card] = cards!(
    [
        SEQUENTIAL,
        texture::horn::CARD,
        texture::blocks::CARD,
        texture::geometry::CARD,
        texture::bitonic::CARD,
        texture::histopyramid::CARD,
        texture::points::CARD,
        texture::packed::CARD,
    ],
    compute [
        compute::scatter::CARD,
        compute::select::CARD,
    ]
);

/// The card of the reference.
static SEQUENTIAL: Card = Card {
    name: "sequential",
    problem: &crate::compact::PROBLEM,
    era: Era::Cpu,
    needs: Need::Nothing,
    summary: "one element after the other, on the CPU: the reference",
    sources: &["roger2007"],
    passes: "",
    work: "one test",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| Vec::new(),
    build: |_| Built::Sequential,
};
