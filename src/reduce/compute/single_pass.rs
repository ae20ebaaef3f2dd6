//! Reduction in a single pass: the work group that is the last to have a sum combines them all.
//!
//! Source: harris2007, section on reduction; NVIDIA's sample threadFenceReduction for the ticket. Work: n words read.
//! Steps: 1.
//!
//! ```text
//! for each work group g in parallel
//!   sums[g] = sum of its pieces
//!   take a ticket; whoever has the last one: result = sum of sums
//! ```
//!
//! No group waits for another, so nothing is asked of their progress. Floats come out the same every time: which group is
//! the last to finish does not matter to what it combines. The ticket is back at zero when the pass ends.

use super::super::ReduceSpec;
use super::build;
use crate::algorithm::{Algorithm, Placement};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Access, Plan, Slot, Uniform, shader};
use crate::scan::compute::TileOptions;

/// Reduction in a single pass.
#[derive(Debug, Clone, Copy, Default)]
pub struct SinglePass {
    pub tile: TileOptions,
    /// Work groups that share the stream; `None` is four for each of the device's processors, on CPUs one.
    pub groups: Option<u32>,
}

impl Algorithm<ReduceSpec> for SinglePass {
    fn name(&self) -> &'static str {
        "single_pass"
    }

    fn placement(&self, _: &ReduceSpec, _: &Device) -> Result<Placement, Error> {
        Ok(Placement::Buffer)
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &ReduceSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let options = (self.tile, self.groups);
        build(plan, spec, inputs[0], options, device, |plan, shared, [sums, result]| {
            let ticket = plan.zeroed("ticket", 1);
            let shader = shader!(
                "reduce/single_pass/reduce.comp",
                "reduce/common/pieces.glsl",
                "reduce/common/finish.glsl"
            );
            shared.reduce(plan, shader, [inputs[0], sums], |pass| {
                pass.bind("RESULT", result, Access::Write)
                    .bind("TICKET", ticket, Access::Update)
                    .set("u_sums", Uniform::Int(shared.groups() as i32));
            });
        })
    }
}
