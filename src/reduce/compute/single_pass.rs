//! Reduction in a single pass: the last work group to finish combines the results of all groups.
//!
//! Source: harris2007, section on reduction; NVIDIA's sample threadFenceReduction for the ticket. Work: n words read.
//! Steps: 1.
//! Wins: on an H200 at 2^20, 2^22, 2^24 and, by 1%, 2^28; at 2^26 `two_pass` is faster (`docs/results.md`).
//!
//! ```text
//! for each work group g in parallel
//!   sums[g] = sum of its pieces
//!   take a ticket; if it is the last one: result = sum of sums
//! ```
//!
//! No group waits for another, so none relies on another's progress. Every run gives floats the same bits: the order of
//! combination does not depend on which group is last. The ticket is back at zero when the pass ends.

use super::super::ReduceSpec;
use super::{Ends, PARAMETERS, VARIANTS, build};
use crate::algorithm::{Algorithm, Built, Card, Era, Need, PseudoCode};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Access, Plan, Slot, Uniform};
use crate::reduce::shader;
use crate::scan::compute::TileOptions;

pub static CARD: Card = Card {
    name: "single_pass",
    problem: &crate::reduce::PROBLEM,
    era: Era::Compute,
    needs: Need::Compute,
    summary: "the last group to finish, found by a ticket, combines the results of all groups: n words",
    sources: &["harris2007"],
    passes: "1; n words",
    work: "n",
    parameters: PARAMETERS,
    variants: VARIANTS,
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| {
        Built::of(SinglePass { tile: TileOptions::of(arguments), groups: arguments.number("groups") })
    },
};

/// Reduction in a single pass.
#[derive(Debug, Clone, Copy, Default)]
pub struct SinglePass {
    /// The choices of lanes, group size and rows.
    pub tile: TileOptions,
    /// Work groups that share the stream; `None` is as many as have 1,024 invocations on each of the device's processors,
    /// on CPUs one.
    pub groups: Option<u32>,
}

impl Algorithm<ReduceSpec> for SinglePass {
    fn name(&self) -> &'static str {
        "single_pass"
    }

    fn handles_natively(&self, _: &ReduceSpec, _: &Device) -> bool {
        true
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &ReduceSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        build(plan, spec, inputs, self.tile, self.groups, device, |plan, shared, [sums, result]| {
            let ticket = plan.zeroed("ticket", 1);
            let shader = shader!(
                "reduce/single_pass/reduce.comp",
                "reduce/common/pieces.glsl",
                "reduce/common/finish.glsl"
            );
            shared.reduce(plan, shader, inputs[0], sums, Ends::Finish, |pass| {
                pass.bind("RESULT", result, Access::Write)
                    .bind("TICKET", ticket, Access::Update)
                    .set("u_sums", Uniform::Int(shared.groups() as i32));
            });
        })
    }
}

/// harris2007 on reduction, with a ticket.
static LISTING: PseudoCode = PseudoCode {
    title: "Reduction in a single pass",
    sources: &["harris2007"],
    corrected: "",
    text: "
      reduce/single_pass/reduce     | for each work group g in parallel
      reduce/single_pass/reduce     |   sums[g] = the sum of its pieces
      reduce/single_pass/reduce     |   take a ticket
      reduce/single_pass/reduce     |   if it is the last one
      reduce/single_pass/reduce     |     result = the sum of all sums
",
};
