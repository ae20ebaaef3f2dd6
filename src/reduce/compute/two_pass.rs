//! Reduction in two passes: each work group reduces its pieces, then one combines the groups' results.
//!
//! Source: harris2007, section on reduction; merrill2016 (CUB's DeviceReduce) for groups that share the stream evenly.
//! Work: n words read. Steps: 2.
//! Wins: on an H200 at 2^26 alone, 0.0711 ms against 0.0866 (`docs/results.md`).
//!
//! ```text
//! for each work group g in parallel: sums[g] = sum of its pieces
//! one work group: result = sum of sums
//! ```
//!
//! Every run gives floats the same bits: the order depends on the device and the length alone.

use super::super::ReduceSpec;
use super::{Ends, PARAMETERS, VARIANTS, build, finish};
use crate::algorithm::{Algorithm, Built, Card, Era, Need, PseudoCode};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Plan, Slot};
use crate::reduce::shader;
use crate::scan::compute::TileOptions;

pub static CARD: Card = Card {
    name: "two_pass",
    problem: &crate::reduce::PROBLEM,
    era: Era::Compute,
    needs: Need::Compute,
    summary: "work groups share the stream evenly; a second pass combines their results: n words",
    sources: &["harris2007", "merrill2016"],
    passes: "2; n words",
    work: "n",
    parameters: PARAMETERS,
    variants: VARIANTS,
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| {
        Built::of(TwoPass { tile: TileOptions::of(arguments), groups: arguments.number("groups") })
    },
};

/// Reduction in two passes.
#[derive(Debug, Clone, Copy, Default)]
pub struct TwoPass {
    /// The choices of lanes, group size and rows.
    pub tile: TileOptions,
    /// Work groups that share the stream; `None` is as many as have 1,024 invocations on each of the device's processors,
    /// on CPUs one.
    pub groups: Option<u32>,
}

impl Algorithm<ReduceSpec> for TwoPass {
    fn name(&self) -> &'static str {
        "two_pass"
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
            let shader = shader!("reduce/two_pass/reduce.comp", "reduce/common/pieces.glsl");
            shared.reduce(plan, shader, inputs[0], sums, Ends::Sums, |_| ());
            finish(plan, &shared.tile, sums, result, shared.groups());
        })
    }
}

/// harris2007 on reduction, with the groups of merrill2016.
static LISTING: PseudoCode = PseudoCode {
    title: "Reduction in two passes",
    sources: &["harris2007", "merrill2016"],
    corrected: "",
    text: "
      reduce/two_pass/reduce        | for each work group g in parallel
      reduce/two_pass/reduce        |   sums[g] = the sum of its pieces
      reduce/two_pass/finish        | one work group
      reduce/two_pass/finish        |   result = the sum of all sums
",
};
