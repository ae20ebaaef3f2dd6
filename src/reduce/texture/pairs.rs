//! Reduce by pairs: the reduce passes of the hybrid scan, down to one value.
//!
//! Source: sengupta2006, algorithm 3. Work: n - 1 uses of the operator; reads 2n texels and writes n. Steps: ceil(log2
//! n).
//! Wins: nowhere. H200: `packed` is 3.5 to 3.7 times as fast from 2^20 to 2^28 (`docs/results.md`).
//!
//! ```text
//! for d = 1 .. ceil(log2 n)
//!   for each i in parallel: a(d)[i] = a(d-1)[2i] + a(d-1)[2i+1]
//! ```
//!
//! Deviations from the paper: those of [`crate::scan::texture::Hybrid`].

use super::super::ReduceSpec;
use super::build;
use crate::algorithm::{Algorithm, Built, Card, Era, Need, Placement, PseudoCode, Variants};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Plan, Slot};
use crate::scan::Heads;
use crate::scan::ceil_log2;
use crate::scan::texture::hybrid;

pub static CARD: Card = Card {
    name: "pairs",
    problem: &crate::reduce::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "each pass combines pairs and halves the texture",
    sources: &["sengupta2006"],
    passes: "log2 n",
    work: "n - 1",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| vec![&LISTING],
    build: |_| Built::of(Pairs),
};

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
            hybrid::reduces(plan, inputs[0], spec.tuple, Heads::None, passes)[passes]
        }))
    }
}

/// sengupta2006, algorithm 3.
static LISTING: PseudoCode = PseudoCode {
    title: "Reduce by pairs",
    sources: &["sengupta2006"],
    corrected: "In print i starts at 1; position 0 needs its sum as well.",
    text: "
                                    | for d = 1 to ceil(log2 n)
      scan/hybrid/reduce           !|   for i = 0 to n/2^d - 1 in parallel
      scan/hybrid/reduce            |     a(d)[i] = a(d-1)[2i] + a(d-1)[2i + 1]
",
};
