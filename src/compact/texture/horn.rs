//! Horn's compaction: a scan counts the unwanted before each element, then every place of the result finds
//! its element by a dichotomic search over the whole stream.
//!
//! Source: horn2005; roger2007, figures 2 and 3; with `scan=hybrid` sengupta2006, section 4. Work: that of the
//! scan and n log2 n fetches. Steps: those of the scan, and 3.
//! Wins: nowhere. H200, 60% kept: 28.8, 31.1 and 33.8 full-screen copies at 2^20, 2^22 and 2^24, 22 of them the scan
//! and 8 the search at 2^22; with `scan=hybrid` 12.7, 12.5 and 13.1. `scan=packed` scans in 1.7 copies, but its
//! search, which fetches four sums for each that it needs, takes twice as long.
//!
//! ```text
//! for each k in parallel:  flag[k] = 1 if x[k] is unwanted, else 0
//! pSum = inclusive scan of flag
//! for each i in parallel
//!   search the j with j - pSum[j] = i and x[j] wanted, between i + pSum[i] and i + pSum[n-1]
//!   out[i] = x[j]
//! ```
//!
//! Deviations from the papers:
//! 1. The search halves an interval ceil(log2 n) times, for the first j with j - pSum[j] >= i: that is never an
//!    unwanted one, so the elements need not be looked at.
//! 2. A pass of one texel leaves the count on the GPU.

use super::{Search, record};
use crate::compact::CompactAlgorithm;
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Layout, Plan};
use crate::scan::texture::{Counting, Reduce};
use crate::spec::CompactSpec;

/// Scan and search over the whole stream.
#[derive(Debug, Clone, Copy, Default)]
pub struct Horn {
    /// What counts the unwanted elements.
    pub scan: Counting,
}

impl CompactAlgorithm for Horn {
    fn plan(&self, spec: &CompactSpec, device: &Device) -> Result<Plan, Error> {
        spec.check()?;
        let name = match self.scan {
            Counting::Hybrid(Reduce::Steps(steps)) => format!("horn:scan=hybrid,reduce={steps}"),
            Counting::Hybrid(Reduce::Max) => "horn:scan=hybrid,reduce=max".into(),
            other => format!("horn:scan={}", other.name()),
        };
        let unit = self.scan.unit() * self.scan.items_per_texel();
        let input = Layout::fit(device, spec.element, 1, 1, spec.len, unit)?;
        record(name, spec, device, input, |plan, compaction| {
            let sums = compaction.sums(plan, self.scan);
            compaction.search(plan, sums, None, Search::For, compaction.moved);
            compaction.count_from_sums(plan, sums);
        })
    }
}
