//! The scan in two plans, for those who exchange totals in between: several devices, or machines.
//!
//! ```text
//! reduce      input -> the total, and the sums of tiles        n read
//! (exchange)  the totals of all parts, scanned exclusively, give each part its carry
//! scan        input, sums and carry -> the scanned part        n read, n written
//! ```

use super::{ReduceThenScan, SCAN_IN_SERIES, dispatch, reduce};
use crate::algorithm::Spec;
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Access, AtMost, Lanes, Layout, Plan, Slot, Uniform};
use crate::scan::compute::tile::Tiled;
use crate::scan::{Heads, Round, ScanKind, ScanSpec, option_passes, shader};
use crate::unsupported::Unsupported;

/// Two plans over one stream: [`ReduceThenScan::halves`].
#[derive(Debug, Clone, PartialEq)]
pub struct Halves {
    /// From the stream to its `total`, a tuple, and the `sums` that the other plan takes.
    pub reduce: Plan,
    /// From the stream, the sums and a carry, a tuple that comes before the stream, to the scanned stream.
    pub scan: Plan,
}

impl ReduceThenScan {
    /// The scan in two plans. Between them, totals are exchanged: the carry of a part is what the totals of all parts
    /// before it add up to ([`Operator::combine`](crate::Operator::combine)), and of the first the identity. 3n words in
    /// all, as in one plan.
    ///
    /// Errors: as [`Algorithm::plan`](crate::Algorithm::plan); [`Error::Unsupported`] for an order above 1, options other
    /// than the kind and the tuple, and an empty stream, whose total is the identity.
    pub fn halves(&self, spec: &ScanSpec, device: &Device) -> Result<Halves, Error> {
        Spec::check(spec)?;
        if !spec.is_whole() || spec.order > 1 || spec.len == 0 {
            let takes = "a scan in two plans is of order 1 and over a whole stream of at least one item";
            return Err(Unsupported::request(takes).into());
        }
        let layout = Layout::in_buffer(device, spec.element, spec.operator.arity(), spec.len)?;
        let round = Round { tuple: spec.tuple, kind: spec.kind, heads: Heads::None };
        let tile = self.tile(&layout, round, device)?;
        let Tiled { tile, parts, tiles } = Tiled::of(tile, &layout, device)?;

        let mut first =
            Plan::new("reduce_then_scan", spec.item(), layout).task(format!("the first half of {spec}"));
        let input = first.input();
        let sums = reduce(&mut first, &tile, &parts, input, true);
        let inclusive = Round { kind: ScanKind::Inclusive, ..round };
        let scanned = self.round(&mut first, sums, inclusive, device)?;
        let of_sums = ScanSpec { kind: ScanKind::Inclusive, ..spec.with_len(tiles * u64::from(spec.tuple)) };
        let total = option_passes::total(&of_sums, &mut first, &[scanned], scanned, device)?;
        first.rename(scanned, "sums");

        let mut second =
            Plan::new("reduce_then_scan", spec.item(), layout).task(format!("the second half of {spec}"));
        let sums = second.further_input("sums", *first.layout(scanned));
        let carry = second.further_input("carry", *first.layout(total));
        let prefixes = prefixes(&mut second, sums, carry, spec.tuple);
        let (input, target) = (second.input(), second.slot("scanned", layout));
        for part in &parts {
            let shader = shader!("scan/reduce_then_scan/scan.comp");
            dispatch(&mut second, &tile, "scan", shader, SCAN_IN_SERIES, part)
                .bind_loads("SOURCE", input, part.items.clone(), tile.load())
                .bind("SUMS", prefixes, Access::Read)
                .bind_part("TARGET", target, Access::Write, part.items.clone())
                .define("EXCLUSIVE", spec.kind == ScanKind::Exclusive)
                .define("CARRIED", 1)
                .moves(part.words + part.tiles * tile.sum_words(), part.words)
                .adds(part.tiles * (tile.scan_adds() + tile.store_adds()), tile.depth())
                .at_most(AtMost::ADDS);
        }
        Ok(Halves { reduce: first.finish_with(vec![total, scanned]), scan: second.finish(target) })
    }
}

/// Adds the pass that gives each tile what comes before it.
fn prefixes(plan: &mut Plan, sums: Slot, carry: Slot, tuple: u32) -> Slot {
    const GROUP: u32 = 64;
    let layout = *plan.layout(sums);
    let prefixes = plan.slot("prefixes", layout);
    plan.dispatch(
        "prefixes",
        shader!("scan/reduce_then_scan/prefixes.comp"),
        Lanes::Serial,
        GROUP,
        layout.len.div_ceil(GROUP.into()),
    )
    .define("TUPLE", tuple)
    .set("u_prefixes", Uniform::Int(layout.len as i32))
    .bind("SUMS", sums, Access::Read)
    .bind("CARRY", carry, Access::Read)
    .bind("PREFIXES", prefixes, Access::Write)
    .moves(2 * layout.words(), layout.words())
    .adds(layout.len, 1);
    prefixes
}
