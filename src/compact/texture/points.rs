//! Scatter by points: each element is a point, which the vertex stage moves to its scanned position.
//!
//! Source: the scatter that vertex textures allow; horn2005 and roger2007 refer to it when they say that only the
//! vertex stage can choose where it writes. Work: n vertices. Steps: those of a scan, and 3.
//! Wins: nowhere. H200: 17 full-screen copies at any length, 14 of them for the points. llvmpipe: slower than Horn's.
//!
//! ```text
//! pSum = inclusive scan of the flags of unwanted elements
//! for each element k, as a point:  if x[k] is wanted, draw x[k] at place k - pSum[k]
//! ```
//!
//! Unwanted elements are placed outside of the target, where they are clipped.

use std::sync::Arc;

use super::build;
use crate::algorithm::{
    Algorithm, Built, Candidates, Card, Domain, Era, Need, Parameter, Placement, PseudoCode, Variants,
};
use crate::compact::{CompactSpec, shader};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{AtMost, Plan, Primitives, Slot};
use crate::scan::{self, AnyScan};

pub static CARD: Card = Card {
    name: "points",
    problem: &crate::compact::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "each element is a point that the vertex stage moves to its position",
    sources: &["horn2005", "roger2007"],
    passes: "those of the packed scan, and 3",
    work: "a scan, and one vertex",
    parameters: &[Parameter {
        name: "scan",
        about: "the scan that counts",
        default: "packed",
        candidates: Candidates::NONE,
        domain: Domain::algorithms(scan::OF_TEXTURES, &[]),
    }],
    variants: Variants::DEFAULT,
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| {
        Built::of(arguments.algorithm("scan").map_or_else(Points::default, |scan| Points { scan }))
    },
};

/// One point an element.
#[derive(Debug, Clone)]
pub struct Points {
    /// The scan that counts the unwanted elements: any that scans textures.
    pub scan: AnyScan,
}

impl Default for Points {
    /// With the packed scan.
    fn default() -> Points {
        Points { scan: Arc::new(scan::texture::Packed::default()) }
    }
}

impl Algorithm<CompactSpec> for Points {
    fn name(&self) -> &'static str {
        "points"
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
            let per_texel = plan.layout(sums).items_per_texel;
            let pass = plan
                .draw_vertices(
                    "scatter",
                    Primitives::Points(spec.len),
                    shader!("compact/points/scatter.vert"),
                    shader!("compact/points/point.frag"),
                )
                .define("PER_TEXEL", i64::from(per_texel))
                .read("u_sums", sums)
                .fetches("u_sums", spec.len)
                .at_most(AtMost::READ | AtMost::WRITTEN);
            let pass = compaction.decide(pass, spec.len);
            compaction.gather(pass, spec.len, compaction.moved).covers(spec.len);
            compaction.count_from_sums(plan, sums);
            Ok(())
        })
    }
}

/// The scatter by vertices that horn2005 and roger2007 name.
static LISTING: PseudoCode = PseudoCode {
    title: "Scatter by points",
    sources: &["horn2005", "roger2007"],
    corrected: "",
    text: "
      flags     | flag[k] = 1 if x[k] is unwanted, else 0
      scan      | pSum = inclusive scan of flag
                | for each element k, as a point
      scatter   |   if x[k] is wanted, draw x[k] at place k - pSum[k]
      scatter   |   else draw it where nothing is
      count     | count = n - pSum[n - 1]
",
};
