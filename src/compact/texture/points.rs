//! Scatter by points: each element is a point, which the vertex stage moves to its scanned address.
//!
//! Source: the scatter that vertex textures allow, as horn2005 and roger2007 have it in mind where they say that
//! only the vertex stage can choose where it writes. Work: n vertices. Steps: those of a scan, and 3.
//! Wins: nowhere. H200: 17 full-screen copies at any length, 14 of them for the points. llvmpipe: slower than Horn's.
//!
//! ```text
//! pSum = inclusive scan of the flags of unwanted elements
//! for each element k, as a point:  if x[k] is wanted, draw x[k] at place k - pSum[k]
//! ```
//!
//! What is unwanted is placed outside of the target, where it is clipped.

use super::record;
use crate::compact::CompactAlgorithm;
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Layout, Plan, Primitives, shader};
use crate::scan::texture::Counting;
use crate::spec::CompactSpec;

/// One point an element.
#[derive(Debug, Clone, Copy, Default)]
pub struct Points;

impl CompactAlgorithm for Points {
    fn plan(&self, spec: &CompactSpec, device: &Device) -> Result<Plan, Error> {
        spec.check()?;
        let scan = Counting::Packed;
        let unit = scan.unit() * scan.items_per_texel();
        let input = Layout::fit(device, spec.element, 1, 1, spec.len, unit)?;
        record("points".into(), spec, device, input, |plan, compaction| {
            let sums = compaction.sums(plan, scan);
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
                .fetches("u_sums", spec.len);
            let pass = compaction.decide(pass, spec.len);
            compaction.gather(pass, spec.len, compaction.moved).covers(spec.len);
            compaction.count_from_sums(plan, sums);
        })
    }
}
