//! Horn's compaction: a scan counts the unwanted before each element, then every position of the result finds its
//! element by a dichotomic search over the whole stream.
//!
//! Source: horn2005; roger2007, figures 2 and 3; with `scan=hybrid` sengupta2006, section 4. Work: that of the scan and
//! n log2 n fetches. Steps: those of the scan, and 3.
//! Wins: nowhere. H200, 60% kept: 27 to 34 full-screen copies from 2^20 to 2^24 (`docs/results.md`), 22 of them the
//! scan and 8 the search at 2^22; with `scan=hybrid` about 13. `scan=packed` scans in 1.7 copies, but its search, which
//! fetches four sums for each that it needs, takes twice as long.
//!
//! ```text
//! for each k in parallel:  flag[k] = 1 if x[k] is unwanted, else 0
//! pSum = inclusive scan of flag
//! for each i in parallel
//!   search the j with j - pSum[j] = i and x[j] wanted, between i + pSum[i] and i + pSum[n-1]
//!   out[i] = x[j]
//! ```
//!
//! `scan=hybrid` is sengupta2006's compaction, `scan=blelloch` a column of roger2007's table.
//!
//! Deviations from the papers:
//! 1. The search halves an interval ceil(log2 n) times, for the first j with `j - pSum[j] >= i`: that is never an
//!    unwanted one, so the elements need not be looked at.
//! 2. A pass of one texel leaves the count on the GPU.

use std::sync::Arc;

use super::{Search, build};
use crate::algorithm::{
    Algorithm, Built, Candidates, Card, Choice, Domain, Era, Need, Parameter, Placement, PseudoCode, Variants,
};
use crate::compact::CompactSpec;
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Plan, Slot};
use crate::scan::{self, AnyScan};

pub static CARD: Card = Card {
    name: "horn",
    problem: &crate::compact::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "a scan counts unwanted elements, then each position searches the whole stream",
    sources: &["horn2005", "sengupta2006", "roger2007"],
    passes: "those of the scan, and 3",
    work: "a scan, and log2 n fetches to find it",
    parameters: &[Parameter {
        name: "scan",
        about: "the scan that counts: horn is Horn's, hybrid Sengupta's compaction",
        default: "horn",
        candidates: Candidates::NONE,
        domain: Domain::algorithms(scan::OF_TEXTURES, &[]),
    }],
    variants: Variants { all: &["", "scan=blelloch", "scan=hybrid:reduce=2", "scan=packed"], some: &[] },
    pseudo_code: |arguments| {
        let scan = arguments.choice("scan").map(Choice::pseudo_code);
        [&LISTING].into_iter().chain(scan.unwrap_or_default()).collect()
    },
    build: |arguments| {
        Built::of(
            arguments.algorithm("scan").map_or_else(HornCompaction::default, |scan| HornCompaction { scan }),
        )
    },
};

/// Scan and search over the whole stream.
#[derive(Debug, Clone)]
pub struct HornCompaction {
    /// The scan that counts the unwanted elements: any that scans textures.
    pub scan: AnyScan,
}

impl Default for HornCompaction {
    /// With Horn's scan.
    fn default() -> HornCompaction {
        HornCompaction { scan: Arc::new(scan::texture::Horn) }
    }
}

impl Algorithm<CompactSpec> for HornCompaction {
    fn name(&self) -> &'static str {
        "horn"
    }

    fn placement(&self, spec: &CompactSpec, device: &Device) -> Result<Placement, Error> {
        scan::one_a_texel(&*self.scan, spec.len, device)
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &CompactSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        build(plan, spec, inputs, device, |plan, compaction| {
            let sums = compaction.sums(plan, &self.scan, device)?;
            compaction.search(plan, sums, None, Search::For, compaction.moved);
            compaction.count_from_sums(plan, sums);
            Ok(())
        })
    }
}

/// roger2007, figures 2 and 3.
static LISTING: PseudoCode = PseudoCode {
    title: "Compaction by scan and search",
    sources: &["roger2007", "horn2005", "sengupta2006"],
    corrected: "",
    text: "
                   | for each k in parallel
      flags        |   flag[k] = 1 if x[k] is unwanted, else 0
      scan         | pSum = inclusive scan of flag
                   | for each i in parallel
      search       |   search the j with j - pSum[j] = i and x[j] wanted,
      search       |     between i + pSum[i] and i + pSum[n - 1]
      search       |   out[i] = x[j]
      count        | count = n - pSum[n - 1]
",
};
