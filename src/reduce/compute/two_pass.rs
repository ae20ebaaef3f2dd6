//! Reduction in two passes: the work groups' sums, then the sum of these.
//!
//! Source: harris2007, section on reduction; merrill2016 (CUB's DeviceReduce) for groups that share the stream out evenly.
//! Work: n words read. Steps: 2.
//!
//! ```text
//! for each work group g in parallel: sums[g] = sum of its pieces
//! one work group: result = sum of sums
//! ```
//!
//! Floats come out the same every time: the order depends on the device and the length alone.

use super::super::ReduceSpec;
use super::{build, finish};
use crate::algorithm::{Algorithm, Placement};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Plan, Slot, shader};
use crate::scan::compute::TileOptions;

/// Reduction in two passes.
#[derive(Debug, Clone, Copy, Default)]
pub struct TwoPass {
    pub tile: TileOptions,
    /// Work groups that share the stream; `None` is four for each of the device's processors, on CPUs one.
    pub groups: Option<u32>,
}

impl Algorithm<ReduceSpec> for TwoPass {
    fn name(&self) -> &'static str {
        "two_pass"
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
            let shader = shader!("reduce/two_pass/reduce.comp", "reduce/common/pieces.glsl");
            shared.reduce(plan, shader, [inputs[0], sums], |_| ());
            finish(plan, &shared.tile, [sums, result], shared.groups());
        })
    }
}
