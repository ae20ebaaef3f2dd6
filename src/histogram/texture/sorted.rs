//! A histogram by fragments: the bins of all items are sorted, and each bin finds where its items begin and end.
//!
//! Source: ours; the sort is [`Radix`]. Work: for each item a bisection of the edges, and a sort by ceil(log2(bins + 1)) bits;
//! for each bin two of the sorted bins. Steps: 2, and those of the sort.
//! Wins: where there are no compute shaders. 256 bins take 16 to 17 full-screen copies on an H200, 2^20 to 2^24 u32.
//!
//! A fragment cannot count what it does not write, and WebGL 2 blends no integers.
//!
//! ```text
//! for each item i in parallel                                             bins
//!   bin[i] = the last edge <= x[i], by bisection; the number of bins if there is none, or none after it
//! sort bin, by as many bits as the number of bins has
//! for each bin b in parallel                                              count
//!   y[b] = how many of the sorted are < b + 1, less how many are < b, by bisection
//! ```

use crate::algorithm::{Algorithm, Built, Card, Era, Need, Placement, PseudoCode, Variants};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::histogram::{HistogramSpec, shader, turns};
use crate::plan::{AtMost, Plan, Slot};
use crate::scan::ceil_log2;
use crate::sort::SortSpec;
use crate::sort::texture::{Radix, radix};

pub static CARD: Card = Card {
    name: "sorted",
    problem: &crate::histogram::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "the items' bins, sorted; each bin searches for the first and the last of its own",
    sources: &["gems2007"],
    passes: "2, and those of a sort by log2 bins bits",
    work: "log2 bins comparisons, and a sort by log2 bins bits",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| [&LISTING].into_iter().chain(radix::CARD.pseudo_code()).collect(),
    build: |_| Built::of(Sorted),
};

/// The histogram of textures.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sorted;

impl Sorted {
    /// The sort of the bins; items in none come last.
    fn sort(spec: &HistogramSpec) -> SortSpec {
        SortSpec::of(ElementType::U32, spec.len).bits(0..ceil_log2(spec.bins + 1))
    }
}

impl Algorithm<HistogramSpec> for Sorted {
    fn name(&self) -> &'static str {
        "sorted"
    }

    fn placement(&self, spec: &HistogramSpec, device: &Device) -> Result<Placement, Error> {
        Radix::default().placement(&Self::sort(spec), device)
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &HistogramSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let items = *plan.layout(inputs[0]);
        let bins = plan.slot("bins", items.of(ElementType::U32));
        plan.draw("bins", shader!("histogram/sorted/bins.frag"))
            .define("BINS", spec.bins as i64)
            .define("ITEMS", items.items_per_texel.into())
            .read("u_items", inputs[0])
            .fetches("u_items", items.texels())
            .read("u_edges", inputs[1])
            .fetches("u_edges", spec.len * turns(spec))
            .at_most(AtMost::READ)
            .write(bins);
        let sorted = plan.append(&Radix::default(), &Self::sort(spec), &[bins], device)?[0];
        let single = Placement::Texture { items_per_texel: 1, unit: 1 };
        let counts = plan.slot("counts", single.layout(device, ElementType::U32, 1, spec.bins)?);
        plan.draw("count", shader!("histogram/sorted/count.frag"))
            .element(ElementType::U32)
            .read("u_sorted", sorted)
            .fetches("u_sorted", 2 * spec.bins * u64::from(ceil_log2(spec.len + 1)))
            .at_most(AtMost::READ)
            .write(counts);
        Ok(vec![counts])
    }
}

/// The steps around the sort.
static LISTING: PseudoCode = PseudoCode {
    title: "Counting by sorting",
    sources: &["gems2007"],
    corrected: "",
    text: "
      bins  | for each item i in parallel
      bins  |   bin[i] = the bin of x[i], by a bisection of the edges; or the number of bins
            | sort bin
      count | for each bin b in parallel
      count |   y[b] = how many of the sorted are < b + 1, less how many are < b
",
};
