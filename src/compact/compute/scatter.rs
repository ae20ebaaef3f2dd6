//! Scatter: a scan of flags gives each kept element its position, and each is written there.
//!
//! Source: harris2007 names it as an application; sengupta2006 gathers, having no scatter. Work: about 4n words, and
//! those of the scan. Steps: those of the scan, and 2.
//! Wins: nowhere; `select` does the same in one pass.
//!
//! ```text
//! flags[k] = x[k] is wanted
//! place = exclusive scan of flags
//! for each k in parallel:  if x[k] is wanted, result[place[k]] = x[k]
//! ```

use std::sync::Arc;

use super::{build, placement};
use crate::algorithm::{
    Algorithm, Built, Candidates, Card, Choice, Domain, Era, Need, Parameter, Placement, PseudoCode, Variants,
};
use crate::compact::{CompactSpec, shader};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{Access, Lanes, Layout, Plan, Slot, Uniform};
use crate::scan::{self, AnyScan};

pub static CARD: Card = Card {
    name: "scatter",
    problem: &crate::compact::PROBLEM,
    era: Era::Compute,
    needs: Need::Compute,
    summary: "a scan of flags gives each kept element its position, and a last pass moves it there",
    sources: &["harris2007"],
    passes: "those of the scan, and 2",
    work: "a scan, and one move",
    parameters: &[Parameter {
        name: "scan",
        about: "the scan that counts",
        default: "look_back",
        candidates: Candidates::NONE,
        domain: Domain::algorithms(scan::OF_BUFFERS, &[]),
    }],
    variants: Variants {
        all: &["", "scan=reduce_then_scan"],
        some: &["scan=three_phase", "scan=chained", "scan=sam"],
    },
    pseudo_code: |arguments| {
        let scan = arguments.choice("scan").map(Choice::pseudo_code);
        [&LISTING].into_iter().chain(scan.unwrap_or_default()).collect()
    },
    build: |arguments| {
        Built::of(arguments.algorithm("scan").map_or_else(Scatter::default, |scan| Scatter { scan }))
    },
};

/// Scan, then scatter.
#[derive(Debug, Clone)]
pub struct Scatter {
    /// The scan of the flags: any that scans buffers.
    pub scan: AnyScan,
}

impl Default for Scatter {
    /// With decoupled look-back as the scan.
    fn default() -> Scatter {
        Scatter { scan: Arc::new(scan::compute::LookBack::default()) }
    }
}

/// Invocations in a group.
const GROUP: u32 = 128;

impl Algorithm<CompactSpec> for Scatter {
    fn name(&self) -> &'static str {
        "scatter"
    }

    fn placement(&self, spec: &CompactSpec, device: &Device) -> Result<Placement, Error> {
        placement(spec, device, "scatter")
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &CompactSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        build(plan, spec, inputs, device, |plan, compaction| {
            let flags = plan.slot("flags", Layout::buffer(ElementType::U32, 1, spec.len));
            let vector = compaction.vector();
            let groups = spec.len.div_ceil(u64::from(GROUP * vector));
            let pass = plan
                .dispatch("flags", shader!("compact/scatter/flags.comp"), Lanes::Serial, GROUP, groups)
                .bind("FLAGS", flags, Access::Write)
                .define("MOVES_VALUES", false)
                .define("MOVES_INDICES", false);
            compaction.decide(pass, vector).moves(0, spec.len);
            let sums = scan::append(plan, &self.scan, &scan::of_counts(spec.len).exclusive(), flags, device)?;
            let pass = plan
                .dispatch("scatter", shader!("compact/scatter/scatter.comp"), Lanes::Serial, GROUP, groups)
                .bind("SUMS", sums, Access::Read)
                .set("u_index", Uniform::Int(0));
            compaction.moves(compaction.decide(pass, vector)).moves(spec.len.div_ceil(vector.into()), 0);
            Ok(())
        })
    }
}

/// harris2007, on applications of scan.
static LISTING: PseudoCode = PseudoCode {
    title: "Scan, then scatter",
    sources: &["harris2007", "sengupta2006"],
    corrected: "",
    text: "
                | for each k in parallel
      flags     |   flag[k] = 1 if x[k] is wanted, else 0
      scan      | place = exclusive scan of flag
                | for each k in parallel
      scatter   |   if x[k] is wanted, out[place[k]] = x[k]
",
};
