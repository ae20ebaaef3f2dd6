//! Compaction by the geometry engine: the elements are points of a vertex buffer, a geometry shader drops the unwanted,
//! transform feedback writes the rest to another buffer.
//!
//! Source: roger2007, sections II and V-B, the baseline called "geometry shaders". Work: n vertices and n primitives,
//! and 1.004 n fetches that count. Steps: 1, and log_256 n that count.
//! Wins: nowhere. H200: 72 to 77 full-screen copies (`docs/results.md`), 2.3 to 2.6 times as long as Horn's: a geometry
//! shader and transform feedback pass 182 million vertices a second there. llvmpipe: faster than Horn's and the paper's
//! blocks.
//!
//! ```text
//! for each element k, as a point, in order:  if x[k] is wanted, append x[k]
//! ```
//!
//! Deviations from the paper:
//! 1. The count stays on the GPU: a reduction over the stream counts again what is kept, since OpenGL 3.3 gives the
//!    number of captured vertices to the CPU alone.
//! 2. Stream, mask and result are in buffers. A device reads buffers as textures up to a limit of its own.

use super::build;
use crate::algorithm::{Algorithm, Built, Card, Era, Need, Placement, PseudoCode, Variants};
use crate::compact::{CompactSpec, shader};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::limits::MAX_LEN;
use crate::plan::{AtMost, Layout, Plan, Primitives, Slot};
use crate::unsupported::Unsupported;

pub static CARD: Card = Card {
    name: "geometry",
    problem: &crate::compact::PROBLEM,
    era: Era::Texture,
    needs: Need::Geometry,
    summary: "a geometry shader drops unwanted elements, transform feedback writes the rest",
    sources: &["roger2007"],
    passes: "1, and log256 n that count",
    work: "one vertex, one primitive",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| vec![&LISTING],
    build: |_| Built::of(Geometry),
};

/// A geometry shader as a filter.
#[derive(Debug, Clone, Copy, Default)]
pub struct Geometry;

/// Elements, and then counts, that one fragment adds up: a loop of some hundred fetches keeps a GPU busy at 2^20
/// elements, and leaves two more passes.
const RUN: u64 = 256;

impl Algorithm<CompactSpec> for Geometry {
    fn name(&self) -> &'static str {
        "geometry"
    }

    fn placement(&self, spec: &CompactSpec, device: &Device) -> Result<Placement, Error> {
        Unsupported::unless_geometry(device, "geometry")?;
        let most = u64::from(device.max_buffer_texels).min(MAX_LEN);
        if spec.len > most {
            return Err(Unsupported::too_large(format!(
                "{} items do not fit in a buffer that this device can read: at most {most}; choose another \
                 algorithm, such as packed",
                spec.len
            ))
            .into());
        }
        Ok(Placement::Vertices)
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &CompactSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let mut levels = Vec::new();
        let mut left = spec.len;
        while left > 1 || levels.is_empty() {
            left = left.div_ceil(RUN);
            levels.push(Layout::fit(device, ElementType::U32, 1, 1, left, 1)?);
        }
        build(plan, spec, inputs, device, |plan, compaction| {
            let pass = plan
                .capture("filter", Primitives::Points(spec.len), shader!("compact/geometry/elements.vert"))
                .geometry(shader!("compact/geometry/keep.geom"))
                .attribute(compaction.values);
            let pass = compaction.condition(pass).at_most(AtMost::WRITTEN);
            let pass = compaction.mask.into_iter().fold(pass, |pass, mask| pass.attribute(mask));
            let moved = compaction.moved;
            let pass = moved.values.into_iter().fold(pass, |pass, slot| pass.capture("v_value", slot));
            moved.indices.into_iter().fold(pass, |pass, slot| pass.capture("v_index", slot));

            let mut counts = None;
            for (level, layout) in levels.iter().enumerate() {
                let target = match level + 1 == levels.len() {
                    true => compaction.count,
                    false => plan.slot(format!("counts {level}"), *layout),
                };
                let pass = plan
                    .draw("count", shader!("compact/geometry/count.frag"))
                    .define("RUN", RUN as i64)
                    .define("COUNTS", i64::from(counts.is_some()));
                let pass = match (counts, compaction.mask) {
                    (Some((slot, len)), _) => {
                        compaction.condition(pass).read("u_counts", slot).fetches("u_counts", len)
                    }
                    (None, Some(mask)) => {
                        compaction.condition(pass).read("u_mask", mask).fetches("u_mask", spec.len)
                    }
                    (None, None) => {
                        let pass = compaction.condition(pass).read("u_values", compaction.values);
                        pass.fetches("u_values", spec.len)
                    }
                };
                pass.write(target);
                counts = Some((target, layout.len));
            }
            Ok(())
        })
    }
}

/// roger2007, section V-B.
static LISTING: PseudoCode = PseudoCode {
    title: "Compaction by the geometry engine",
    sources: &["roger2007"],
    corrected: "",
    text: "
      filter   | for each element k, as a point, in order
      filter   |   if x[k] is wanted, append x[k]
      count    | count = how many are wanted, added up in runs
",
};
