//! A histogram: how many items of a stream lie between each two edges that follow each other.
//!
//! ```text
//! the bin of each item: a bisection of the edges          map
//! bins sorted, by as many bits as the number of bins has  a sort
//! how long the run of each bin is                         runs, scatter
//! ```
//!
//! Only comparisons of integers decide where an item belongs, also of floats: so the counts are exact on every device.

use super::SortSpec;
use super::partition::counts;
use crate::algorithm::{Algorithm, Placement, Spec};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{Map, Plan};
use crate::scan::ceil_log2;
use crate::unsupported::Unsupported;

/// A plan that counts items in bins, as CUB's `HistogramRange` does and, for edges at equal distances, `HistogramEven`. Its
/// inputs are `len` items of u32, i32 or f32 and `bins` + 1 ascending edges of the same type. Its result are the counts: bin i
/// is from edge i on, up to edge i + 1, which it excludes. Items before the first edge, from the last one on, and NaN are in
/// no bin. (numpy's last bin includes its upper edge: there, give the next greater number.) 0.0 and -0.0 are equal.
///
/// ```
/// # #[cfg(feature = "headless")]
/// # fn main() -> Result<(), rasterscan::Error> {
/// use rasterscan::sort::{histogram, texture::Radix};
/// use rasterscan::{ElementType, Gpu};
///
/// let gpu = Gpu::headless()?;
/// let plan = histogram(&Radix::default(), ElementType::F32, 6, 2, gpu.device())?;
/// let mut prepared = gpu.prepare(&plan)?;
/// let data = prepared.upload(&[0.5f32, -0.0, 1.0, 7.0, f32::NAN, 0.25])?;
/// let edges = prepared.upload_input(1, &[0.0f32, 0.5, 2.0])?;
/// assert_eq!(prepared.run([&data, &edges])?[0].read::<u32>()?, [2, 2]);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "headless"))]
/// # fn main() {}
/// ```
///
/// Costs ceil(log2(bins + 1)) reads of edges for each item, a sort of as many bits, the runs of the sorted bins
/// ([`crate::reduce::runs`]), and a scatter of their lengths.
///
/// Errors: as [`Algorithm::plan`]; [`Error::Unsupported`] for elements of 64 bits.
pub fn histogram<A: Algorithm<SortSpec> + ?Sized>(
    algorithm: &A,
    element: ElementType,
    len: u64,
    bins: u32,
    device: &Device,
) -> Result<Plan, Error> {
    let spec = sort_of_bins(len, bins);
    Spec::check(&spec)?;
    histogram_by(&algorithm.plan(&spec, device)?, element, bins, device)
}

/// The sort that a histogram is made of.
pub(crate) fn sort_of_bins(len: u64, bins: u32) -> SortSpec {
    SortSpec::of(ElementType::U32, len).bits(0..ceil_log2(u64::from(bins) + 1).max(1))
}

/// The histogram by a plan of [`sort_of_bins`].
pub(crate) fn histogram_by(
    part: &Plan,
    element: ElementType,
    bins: u32,
    device: &Device,
) -> Result<Plan, Error> {
    if element.words() > 1 {
        return Err(Unsupported::request("a histogram counts u32, i32 or f32").into());
    }
    let turns = ceil_log2(u64::from(bins) + 2);
    let layout = *part.layout(part.input());
    let mut plan = Plan::new(part.name(), part.item().clone(), layout.of(element))
        .task(format!("histogram of {} {element} in {bins} bins", layout.len));
    let edges = Placement::single(layout.storage).layout(device, element, 1, u64::from(bins) + 1)?;
    let edges = plan.further_input("edges", edges);
    let map = Map::new(glsl(element, bins, turns)).stream("edge", edges, turns.into()).twin_with_streams(
        move |from, items, _, to| {
            let item = order(element, from[0]);
            let (mut low, mut high) = (-1, i64::from(bins) + 1);
            while high - low > 1 {
                let middle = (low + high) / 2;
                let edge = items(1, middle).map_or(0, |edge| order(element, edge[0]));
                if edge <= item { low = middle } else { high = middle }
            }
            to[0] = u32::try_from(low).unwrap_or(bins);
        },
    );
    let bins_of_items = plan.map(plan.input(), "bin", map, layout)?;
    let sorted = plan.append_plan(part, &[bins_of_items])?[0];
    let counts = counts(&mut plan, sorted, bins, device)?;
    plan.check_device(device)?;
    Ok(plan.finish(counts))
}

/// The unsigned number in whose order numbers of an element lie, by their bits.
fn order(element: ElementType, bits: u32) -> u32 {
    match element {
        ElementType::F32 if bits == 1 << 31 => 1 << 31,
        ElementType::F32 if bits >> 31 == 1 => !bits,
        ElementType::F32 | ElementType::I32 => bits ^ 1 << 31,
        _ => bits,
    }
}

/// The map from an item to its bin; from an item that is in none to the number of bins.
fn glsl(element: ElementType, bins: u32, turns: u32) -> String {
    let order = match element {
        ElementType::F32 => "bits == 0x80000000u ? bits : bits >> 31 == 1u ? ~bits : bits ^ 0x80000000u",
        ElementType::I32 => "bits ^ 0x80000000u",
        _ => "bits",
    };
    format!(
        "uint bin_order(uint bits) {{
    return {order};
}}

void map(uint from[FROM], int index, out uint to[TO]) {{
    uint item = bin_order(from[0]);
    int low = -1;
    int high = {bins} + 1;
    for (int turn = 0; turn < {turns}; turn++) {{
        if (high - low > 1) {{
            int middle = (low + high) / 2;
            uint edge[1];
            edge_words(middle, edge);
            if (bin_order(edge[0]) <= item) {{
                low = middle;
            }} else {{
                high = middle;
            }}
        }}
    }}
    to[0] = low < 0 ? {bins}u : uint(low);
}}
"
    )
}
