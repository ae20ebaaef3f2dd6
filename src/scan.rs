//! The scans.
//!
//! Each algorithm is a file that builds its passes and a folder of shaders under `glsl/scan/`. Here a *sum* is what the
//! operator makes of items, whichever operator it is, and an *add* is one use of it.
//!
//! # The scans
//!
//! <!-- cards: scan -->
//! | scan | type | passes over n items | uses of the operator |
//! | --- | --- | --- | --- |
//! | `sequential` | [`sequential`], on the CPU: the reference | | n |
//! | `horn` | [`texture::Horn`] | log2 n | n log2 n |
//! | `hybrid` | [`texture::Hybrid`] | 2R + log2(n / 2^R), of which R reduce | 2n + (n / 2^R) log2(n / 2^R) |
//! | `blelloch` | [`texture::Blelloch`] | 2 log2(n) - 8, from 2^16 on | 2n |
//! | `packed` | [`texture::Packed`] | 2 log(n) / log(B) - 1, in blocks of B items | 6n at the default block |
//! | `harris` | [`compute::Harris`] | 2 log(n) / log(B) - 1, in blocks of B items; 4n words | 3n; n log2 B if naive |
//! | `capannini` | [`compute::Capannini`] | 2 log(n) / log(B) - 1, in blocks of B items; 4n words | 2n; n log2 B without a tree |
//! | `three_phase` | [`compute::ThreePhase`] | 3, and those of the sums; 4n words | 5n or 6n |
//! | `reduce_then_scan` | [`compute::ReduceThenScan`] | 3, and those of the sums; 3n words | 5n or 6n |
//! | `chained` | [`compute::Chained`] | 2, of which one clears; 2n words | 4n or 5n |
//! | `look_back` | [`compute::LookBack`] | 2, of which one clears; 2n words | 4n or 5n |
//! | `sam` | [`compute::Sam`] | 2, of which one clears; 2n words at any order | 4n or 5n |
//!
//! <!-- end -->
//!
//! All of them run every scan that [`ScanSpec`] describes: u32, i32, f32, u64 and i64; add, mul, min, max, and, or, xor
//! and the non-commutative affine; inclusive and exclusive; orders and tuples up to 16; every length from 0 to the
//! capacity of the device's textures or buffers. Integers wrap. Floats are checked against a bound ([`verify`]).
//!
//! Algorithms of the texture era read a stream from a texture, those of the compute era from a buffer:
//! [`Prepared::upload`](crate::Prepared::upload) puts it where the plan needs it. In `chained`, `look_back`, `sam` and
//! the compaction `select`, work groups wait for each other for a bounded time. Then a group computes what is missing.
//!
//! On a device without compute shaders, a plan that needs them is refused with the reason:
//!
//! ```
//! use rasterscan::scan::compute::{Exchange, Sam};
//! use rasterscan::{Algorithm, Device, ScanSpec};
//!
//! let spec = ScanSpec::new::<u32>(1 << 20).order(8); // sums of sums of sums ...
//! let sam = Sam { exchange: Exchange::Each, ..Sam::default() }; // as in the paper
//! let plan = sam.plan(&spec, &Device::gl43())?;
//! assert_eq!(plan.passes().len(), 2); // one that clears, one that scans
//! assert!(plan.cost().words_moved() < 21 * spec.len / 10); // 2n, and sums of chunks
//!
//! let refused = sam.plan(&spec, &Device::gl33()).unwrap_err();
//! assert!(refused.to_string().contains("needs compute shaders (OpenGL 4.3 or OpenGL ES 3.1)"));
//! # Ok::<(), rasterscan::Error>(())
//! ```
//!
//! # Padding
//!
//! In a scan nothing flows from right to left. So positions after the last item can hold anything: they are computed
//! like their neighbours, and never read by a position that counts. Padding needs no identity, and a pass can write
//! whole rows. A reduce pass still leaves items past the end out of its last sum: no position needs that sum, but a
//! recording then shows what the paper's pseudo-code gives.

pub mod compute;
mod expand;
pub(crate) mod first;
mod option_passes;
pub(crate) mod problem;
mod recurrence;
pub mod reference;
mod spec;
mod splits;
mod system;
pub mod texture;
mod walk;

use std::sync::Arc;

pub use expand::{Expanded, expand};
pub(crate) use option_passes::{check_bound, flags_of};
pub use problem::PROBLEM;
pub use recurrence::Recurrence;
pub use reference::{sequential, sequential_with, verify, verify_with};
pub(crate) use spec::check_finds_item;
#[cfg(feature = "recordings")]
pub(crate) use spec::is_default;
pub use spec::{Batch, ScanKind, ScanSpec, Segments};
pub use splits::flags_of_keys;
pub(crate) use walk::Line;
pub use walk::SideStreams;

use crate::algorithm::{
    Algorithm, Arguments, Built, Card, Era, Inner, Need, Placement, Spec, Variants, cards,
};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{Library, Plan, Slot, Storage, glsl_files};
use crate::unsupported::Unsupported;

/// The files that the shaders of scans share.
pub static SHADER_FILES: Library = Library::new(
    glsl_files![
        "scan/first/index.glsl",
        "scan/first/number.glsl",
        "scan/first/value.glsl",
        "scan/option_passes/buffers.glsl",
        "scan/option_passes/places.glsl",
        "scan/option_passes/textures.glsl",
        "scan/common/block.glsl",
        "scan/common/block_items.glsl",
        "scan/common/heads.glsl",
        "scan/common/highest_bit.glsl",
        "scan/common/look_back.glsl",
        "scan/common/nearest_prefix.glsl",
        "scan/common/prefix_of_block.glsl",
        "scan/common/states.glsl",
        "scan/common/store.glsl",
        "scan/common/sums.glsl",
        "scan/common/tile.glsl",
        "scan/common/totals.glsl",
        "scan/reduce_then_scan/columns.glsl",
    ],
    &[],
);

/// A shader of scans, as in [`crate::plan`].
macro_rules! shader {
    ($($file:literal),* $(,)?) => { $crate::plan::shader!(in $crate::scan::SHADER_FILES, $($file),*) };
}
pub(crate) use shader;

/// The scans, in the order in which `list` and `demo` show them.
pub static CARDS: &[&Card] = cards!(
    [
        SEQUENTIAL,
        texture::horn::CARD,
        texture::hybrid::CARD,
        texture::hybrid::BLELLOCH,
        texture::packed::CARD,
    ],
    compute [
        compute::harris::CARD,
        compute::capannini::CARD,
        compute::three_phase::CARD,
        compute::reduce_then_scan::CARD,
        compute::chained::CARD,
        compute::look_back::CARD,
        compute::sam::CARD,
    ]
);

/// The card of the reference.
static SEQUENTIAL: Card = Card {
    name: "sequential",
    problem: &crate::scan::PROBLEM,
    era: Era::Cpu,
    needs: Need::Nothing,
    summary: "one element after the other, on the CPU: the reference",
    sources: &["sengupta2006"],
    passes: "",
    work: "n",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| Vec::new(),
    build: |_| Built::Sequential,
};

/// The scans of textures, as steps of another algorithm.
pub(crate) const OF_TEXTURES: Inner =
    Inner { cards: || CARDS, fits: |card| matches!(places(card), Some(Placement::Texture { .. })) };

/// The scans of four counts per texel.
pub(crate) const OF_WHOLE_TEXELS: Inner = Inner {
    cards: || CARDS,
    fits: |card| matches!(places(card), Some(Placement::Texture { items_per_texel: 4, .. })),
};

/// The scans of buffers.
pub(crate) const OF_BUFFERS: Inner =
    Inner { cards: || CARDS, fits: |card| places(card) == Some(Placement::Buffer) };

/// The placement that a scan needs for counts; it is the same on all devices that can run it.
fn places(card: &Card) -> Option<Placement> {
    let scan = (card.build)(&Arguments::NONE).typed::<ScanSpec>()?;
    scan.placement(&of_counts(1), &Device::gl43()).ok()
}

/// Any scan, of this crate or of the caller's, as a step of another algorithm.
pub type AnyScan = Arc<dyn Algorithm<ScanSpec>>;

/// The fastest scan on a device whose streams lie in this kind of memory, for a step of another algorithm.
///
/// Errors: no scan there is for such a stream.
pub(crate) fn fastest_in(storage: Storage, spec: &ScanSpec, device: &Device) -> Result<AnyScan, Error> {
    let by_name = |name: &&str| CARDS.iter().find(|card| card.name == *name);
    let fastest = problem::fastest(spec, device).iter().filter_map(by_name);
    let there = |card: &&Card| {
        let scan = (card.build)(&Arguments::NONE).typed::<ScanSpec>()?;
        let plan = scan.plan(spec, device).ok()?;
        (plan.layout(plan.input()).storage == storage).then_some(scan)
    };
    fastest.chain(CARDS).find_map(there).ok_or_else(|| {
        Unsupported::request(format!("no scan on this device serves as a step of this: {spec}")).into()
    })
}

/// Adds the fastest scan in the memory of a stream, which moves into the layout that the scan needs if it is in another.
///
/// Errors: as [`fastest_in`].
pub(crate) fn append_fastest(
    plan: &mut Plan,
    spec: &ScanSpec,
    stream: Slot,
    device: &Device,
) -> Result<Vec<Slot>, Error> {
    let layout = *plan.layout(stream);
    let by = fastest_in(layout.storage, spec, device)?;
    let placement = spec.placements(&*by, device)?[0];
    let stream = match placement.admits(&layout) {
        true => stream,
        false => plan.relayout(stream, None, placement.layout(device, layout.element, 1, layout.len)?)?,
    };
    plan.append(&*by, spec, &[stream], device)
}

/// A sum of `len` flags or other counts, as a step of another algorithm.
pub(crate) fn of_counts(len: u64) -> ScanSpec {
    ScanSpec::of(ElementType::U32, len)
}

/// The items per texel of a scan of counts, and the number of texels that its rows are a multiple of.
///
/// Errors: the scan does not scan textures.
pub(crate) fn in_texels(
    scan: &dyn Algorithm<ScanSpec>,
    len: u64,
    device: &Device,
) -> Result<(u32, u32), Error> {
    match scan.placement(&of_counts(len), device)? {
        Placement::Texture { items_per_texel, unit } => Ok((items_per_texel, unit)),
        Placement::Buffer | Placement::Vertices => {
            let name = scan.name();
            Err(Unsupported::request(format!(
                "{name} scans buffers, and the counts lie in textures; choose a scan of \
                 textures, such as packed"
            ))
            .into())
        }
    }
}

/// The layout of a compaction's elements for this scan of counts: one per texel, in the same rows as the counts.
///
/// Errors: as [`in_texels`].
pub(crate) fn one_a_texel(
    scan: &dyn Algorithm<ScanSpec>,
    len: u64,
    device: &Device,
) -> Result<Placement, Error> {
    let (items_per_texel, unit) = in_texels(scan, len, device)?;
    Ok(Placement::Texture { items_per_texel: 1, unit: unit * items_per_texel })
}

/// Appends the scan that a parameter called `scan` names, and notes it; returns the slot of the sums.
pub(crate) fn append(
    plan: &mut Plan,
    scan: &AnyScan,
    spec: &ScanSpec,
    source: Slot,
    device: &Device,
) -> Result<Slot, Error> {
    let number = plan.scopes().len();
    let sums = plan.append(&**scan, spec, &[source], device)?[0];
    let settled = plan.scopes()[number].as_argument();
    plan.note_parameter("scan", settled);
    Ok(sums)
}

/// A scan of first order within a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Items in a tuple.
    pub tuple: u32,
    /// Inclusive or exclusive.
    pub kind: ScanKind,
    /// The places where the scan begins anew.
    pub heads: Heads,
}

/// The items of a stream at which a scan begins anew, besides the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heads {
    /// None.
    None,
    /// Each whose index is a multiple of this number.
    Every(u64),
    /// Those whose bits are set in this slot.
    Flags(Slot),
}

/// A scan of any order from scans of first order: `round` adds one, from a slot to a slot.
///
/// Only the last round is exclusive, if any is: at every order an exclusive scan is the inclusive one shifted by one
/// tuple.
pub fn rounds<E: Into<Error>>(
    spec: &ScanSpec,
    source: Slot,
    mut round: impl FnMut(Slot, Round) -> Result<Slot, E>,
) -> Result<Vec<Slot>, Error> {
    let mut slot = source;
    for order in 1..=spec.order {
        // The scan of an empty stream is the stream itself.
        if spec.len > 0 {
            let kind = if order == spec.order { spec.kind } else { ScanKind::Inclusive };
            slot = round(slot, Round { tuple: spec.tuple, kind, heads: Heads::None }).map_err(E::into)?;
        }
    }
    Ok(vec![slot])
}

/// ceil(log2 n), and 0 for n = 0.
pub(crate) fn ceil_log2(n: u64) -> u32 {
    n.max(1).next_power_of_two().trailing_zeros()
}
