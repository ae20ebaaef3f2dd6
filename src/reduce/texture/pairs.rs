//! Reduce by pairs: the reduce passes of the hybrid scan, down to one value.
//!
//! Source: sengupta2006, algorithm 3. Work: n - 1 uses of the operator; reads 2n texels and writes n. Steps: ceil(log2 n).
//!
//! ```text
//! for d = 1 .. ceil(log2 n)
//!   for each i in parallel: a(d)[i] = a(d-1)[2i] + a(d-1)[2i+1]
//! ```
//!
//! Deviations from the paper: those of [`crate::scan::texture::Hybrid`].

use super::super::ReduceSpec;
use super::build;
use crate::algorithm::{Algorithm, Placement};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Plan, Slot};
use crate::scan::texture::{ceil_log2, hybrid};

/// Reduce by pairs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pairs;

impl Algorithm<ReduceSpec> for Pairs {
    fn name(&self) -> &'static str {
        "pairs"
    }

    fn placement(&self, spec: &ReduceSpec, _: &Device) -> Result<Placement, Error> {
        Ok(Placement::Texture { items_per_texel: 1, unit: 2 * spec.tuple })
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &ReduceSpec,
        inputs: &[Slot],
        _: &Device,
    ) -> Result<Vec<Slot>, Error> {
        Ok(build(plan, spec, inputs[0], |plan| {
            let passes = ceil_log2(spec.tuples()) as usize;
            hybrid::reduces(plan, inputs[0], spec.tuple, passes)[passes]
        }))
    }
}
