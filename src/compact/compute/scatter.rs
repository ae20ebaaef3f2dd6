//! Scatter: a scan of flags gives each element that is kept its place, and each goes there.
//!
//! Source: harris2007 names it as an application; sengupta2006 has it gather for want of scatter. Work: about 4n
//! words beside those of the scan. Steps: those of the scan, and 2.
//! Wins: nowhere; `select` does the same in one pass.
//!
//! ```text
//! flags[k] = x[k] is wanted
//! place = exclusive scan of flags
//! for each k in parallel:  if x[k] is wanted, result[place[k]] = x[k]
//! ```

use super::record;
use crate::compact::CompactAlgorithm;
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{Access, Lanes, Layout, Plan, Uniform, shader};
use crate::scan::compute::Scanning;
use crate::spec::{CompactSpec, ScanKind};

/// Scan, then scatter.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scatter {
    /// The scan of the flags.
    pub scan: Scanning,
}

/// Invocations in a group.
const GROUP: u32 = 128;

impl CompactAlgorithm for Scatter {
    fn plan(&self, spec: &CompactSpec, device: &Device) -> Result<Plan, Error> {
        let name = format!("scatter:scan={}", self.scan.name());
        record(name, spec, device, |plan, compaction| {
            let flags = plan.slot("flags", Layout::buffer(ElementType::U32, 1, spec.len));
            let vector = compaction.vector();
            let groups = spec.len.div_ceil(u64::from(GROUP * vector));
            let pass = plan
                .dispatch("flags", shader!("compact/scatter/flags.comp"), Lanes::Serial, GROUP, groups)
                .bind("FLAGS", flags, Access::Write)
                .define("MOVES_VALUES", false)
                .define("MOVES_INDICES", false);
            compaction.decide(pass, vector).moves(0, spec.len);
            let sums = self.scan.record(plan, flags, ScanKind::Exclusive, device)?;
            let pass = plan
                .dispatch("scatter", shader!("compact/scatter/scatter.comp"), Lanes::Serial, GROUP, groups)
                .bind("SUMS", sums, Access::Read)
                .set("u_index", Uniform::Int(0));
            compaction.moves(compaction.decide(pass, vector)).moves(spec.len.div_ceil(vector.into()), 0);
            Ok(())
        })
    }
}
